"""From a closed term to a procedure: sizes, inputs, output, body. Knows no primitive."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from rise.diagnostics import Diagnostic
from rise.heads import promises
from rise.naturals import Atom, NatLike, NatVar, const, nat
from rise.obligations import Obligation, check_obligations, obligations
from rise.quotients import substitute_naturals
from rise.terms import DepLam, Expr, Lam, Var
from rise.text.nat_printer import show_nat
from rise.types import DepFunType, FunType, Type, instantiate_dependent
from shine.access import WRITE, find_conflict
from shine.imperative import Buffer, Parameter, Procedure
from shine.leaves import leaves_of as arrays_of
from shine.translate.accumulators import merge_names
from shine.translate.causes import high_behind
from shine.translate.core import Known, Term, Translation, Translator, write
from shine.translate.errors import (
    NOT_WRITTEN,
    TranslationError,
    fail,
    located,
    not_lowered,
    not_stored,
    not_written,
)
from shine.translate.indices import divisors_of
from shine.translate.layout import Cells, leaves_of
from shine.translate.memory import place_at, reader_at
from shine.translate.names import safe
from shine.translate.paths import ROOT
from shine.translate.tighten import tighten_loops
from shine.translate.trampoline import run


def translate_with(
    records: Mapping[str, Translation], e: Expr, name: str, levels: frozenset[str]
) -> Procedure:
    """The procedure of a term, given how primitives are translated; a diagnostic shows the sub-term at
    fault.
    """
    try:
        return procedure_of(records, e, name, levels)
    except TranslationError as error:
        diagnostic = diagnosed(error, records, e, levels)
        raise located(e, TranslationError(diagnostic, error.origin)) from None


def diagnosed(
    error: TranslationError, records: Mapping[str, Translation], e: Expr, levels: frozenset[str]
) -> Diagnostic:
    """What an error says; of a variable that a high-level primitive computes, that this was not lowered."""

    def is_view(name: str) -> bool:
        return name in records and records[name].place is not None

    high = high_behind(e, error.origin, is_view) if error.diagnostic.code == NOT_WRITTEN else None
    return (
        error.diagnostic if high is None else not_lowered(high, Translator(levels, records).available(high))
    )


def procedure_of(records: Mapping[str, Translation], e: Expr, name: str, levels: frozenset[str]) -> Procedure:
    """The procedure of a term."""
    refuse_open(e)
    tr = Translator(levels, records)
    known_as: dict[Atom, NatLike] = {}  # sizes as obligations name them
    sizes: list[NatVar] = []
    inputs: list[Parameter] = []
    explicit: list[tuple[int, NatVar]] = []
    arguments: list[Any] = []
    for size in sorted((v for v in e.free if isinstance(v, NatVar)), key=lambda v: v.order):
        if tr.names.fresh(size.name) != size.name:
            fail(
                "size-name", f"expected a size that C can name, found `{size.name}`", "call it otherwise", ()
            )
        known_as[size] = size
        sizes.append(size)
    t: Type = e.type
    names = binder_names(e)
    while isinstance(t, FunType | DepFunType):
        binder = names.pop() if names else ""
        if isinstance(t, DepFunType):
            size = size_parameter(t, tr)
            known_as[obligation_name(t.name, known_as)] = size
            sizes.append(size)
            if not t.implicit:
                explicit.append((len(explicit) + len(inputs), size))
            arguments.append(nat(size))
            t = instantiate_dependent(t.result, nat(size))
        else:
            parameter, cells = boundary(tr, binder or "x", t.parameter)
            inputs.append(parameter)
            shapes = (leaf.shape for leaf in arrays_of(parameter.name, parameter.type))
            tr.inputs.update(zip((one.name for one in parameter.buffers), shapes, strict=True))
            arguments.append(Known(reader_at(tr, t.parameter, cells, ROOT), t.parameter))
            t = t.result
    output, cells = boundary(tr, "output", t)
    check_access(e, records)
    needed = tuple(
        replace(o, subject=substitute_naturals(o.subject, known_as)) for o in (*promises(e), *obligations(e))
    )
    tr.divisors.update(divisors_of(o.subject for o in needed if o.relation == "divides"))
    run(write(tr, place_at(t, cells, ROOT), Term(e, None, ROOT), *arguments))
    body = run(tighten_loops(merge_names(tr.finish(), tr.merged)))
    kept = tuple(o for o in needed if o.subject.free or refuse_fixed(o))
    distinct = tuple(tr.distinct.values())
    return Procedure(safe(name), tuple(sizes), tuple(inputs), output, body, kept, tuple(explicit), distinct)


def refuse_fixed(obligation: Obligation) -> bool:
    """Raise a diagnostic where an obligation about sizes that are all fixed fails; else it is no check: False."""
    if check_obligations([obligation], {}) is not None:
        wanted = {"divides": "to be whole", "<=": "to be >= 0", "positive": "to be >= 1"}[obligation.relation]
        title = f"expected sizes that fit, found {show_nat(obligation.subject)} where {obligation.reason} {wanted}"
        fail(
            "size-mismatch", title, "fix other sizes, or leave them symbolic: then the entry checks them", ()
        )
    return False


def obligation_name(name: str, taken: Container[Atom]) -> NatVar:
    """What `rise.obligations` calls the next size that a term binds, outermost first."""
    found = NatVar(name or "n", None)
    count = 1
    while found in taken:
        count += 1
        found = NatVar(f"{name or 'n'}{count}", None)
    return found


def check_access(e: Expr, records: Mapping[str, Translation]) -> None:
    """Raise a diagnostic where an array is read that is not stored, or to be written that is in memory."""
    conflict = find_conflict(e, {record.name: record.access for record in records.values()})
    if conflict is not None:
        complain = not_written if conflict.expected == WRITE else not_stored
        complain(conflict.what, conflict.origin)


def refuse_open(e: Expr) -> None:
    """Raise a diagnostic for variables and unknowns that nothing binds."""
    for variable in sorted((v for v in e.free if isinstance(v, Var)), key=lambda v: v.name):
        fail(
            "free-variable",
            f"`{variable.name}` is free: a kernel's inputs are parameters",
            "bind it with fun",
            (),
        )


def binder_names(e: Expr) -> list[str]:
    """What a term calls its parameters, sizes included; the first one last."""
    names: list[str] = []
    while isinstance(e, Lam | DepLam):
        names.append(e.name)
        e = e.body
    names.reverse()
    return names


def size_parameter(t: DepFunType, tr: Translator) -> NatVar:
    """The size that a dependent parameter is."""
    if t.kind != "nat":
        title = f"expected a term whose types are known, found the parameter `{t.name}: {t.kind}`"
        fail("polymorphic", title, f"choose it with rise.specialise(e, {t.name}=...)", ())
    return NatVar(tr.names.fresh(t.name), None)


def boundary(tr: Translator, name: str, t: Type) -> tuple[Parameter, Cells]:
    """An input or the output, with its buffers."""
    if isinstance(t, FunType | DepFunType):
        fail(
            "function-parameter",
            f"expected data, found a function as `{name}`",
            "apply it before compiling",
            (),
        )
    leaves = leaves_of(t, ())
    base = tr.names.fresh(name)
    names = [base] if len(leaves) == 1 else [tr.names.fresh(f"{base}_{k + 1}") for k in range(len(leaves))]
    buffers = tuple(
        Buffer(one, leaf.element, leaf.size, "Global", ()) for one, leaf in zip(names, leaves, strict=True)
    )
    return Parameter(base, t, buffers), tuple((buffer, const(0)) for buffer in buffers)
