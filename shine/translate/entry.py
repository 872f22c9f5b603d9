"""Translates a closed term to a procedure: sizes, inputs, output, body. Independent of primitives."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from rise.analysis.injections import not_apart
from rise.analysis.obligations import Obligation, check_obligations, obligations, too_large
from rise.arguments.sizes import instantiate_all
from rise.diagnostics import Diagnostic, number_text
from rise.indices import divisors_of
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, nat
from rise.primitives import with_trait
from rise.programs.dependent_pairs import Apart, take_apart
from rise.programs.foreign import Foreign, foreign_functions
from rise.programs.heads import promises
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunction
from rise.terms import Expr, Var, has_primitive
from rise.text.nat_printer import show_nat
from rise.types import DepFunType, FunType, Type
from shine.imperative.errors import (
    NOT_WRITTEN,
    TranslationError,
    fail,
    located,
    not_lowered,
    not_stored,
    not_written,
    parallel_write,
)
from shine.imperative.identifiers import as_word
from shine.imperative.known_conditions import with_decided_indices, without_decided
from shine.imperative.masks import without_masked
from shine.imperative.nodes import Block, PairInput, Procedure
from shine.imperative.updates import without_unused
from shine.translate.access import WRITE, find_conflict
from shine.translate.accumulators import merge_names
from shine.translate.causes import high_behind
from shine.translate.copies import settle_copies
from shine.translate.core import Term, Translation, Translator, write
from shine.translate.foreign import translations_of
from shine.translate.loop_bounds import tighten_loops
from shine.translate.memory import place_at
from shine.translate.parameters import Parameters, boundary, parameters_of
from shine.translate.paths import ROOT
from shine.translate.trampoline import run

_UNSPECIFIED: Final = with_trait("unspecified")


def translate_with(
    records: Mapping[str, Translation],
    e: Expr,
    name: str,
    levels: frozenset[str],
    foreign: Iterable[Foreign] = (),
) -> Procedure:
    """Translate a term to a procedure with the given records. Raises TranslationError at the wrong sub-term."""
    foreign_by_name = foreign_functions(e, foreign)
    apart = take_apart(e)
    e = apart.term
    records = {**records, **translations_of(foreign_by_name.values())}
    try:
        procedure = procedure_of(records, e, name, levels)
        return replace(with_pairs(procedure, apart), foreign=tuple(foreign_by_name.values()))
    except TranslationError as error:
        diagnostic = diagnosed(error, records, e, levels)
        raise located(e, TranslationError(diagnostic, error.origin)) from None


def with_pairs(procedure: Procedure, apart: Apart) -> Procedure:
    """The procedure with dependent pairs as inputs and output where the program has them."""
    if not apart.pairs and apart.number is None:
        return procedure
    sizes = bound_sizes(apart.term, procedure)
    pairs = tuple(PairInput(pair.position, sizes[pair.binder], pair.type) for pair in apart.pairs)
    number = None if apart.number is None else instantiate_all(apart.number, [as_argument(v) for v in sizes])
    return replace(procedure, pairs=pairs, number=number)


def bound_sizes(e: Expr, procedure: Procedure) -> list[Any]:
    """The procedure's sizes and size functions that the term binds, outermost first."""
    free = sum(isinstance(v, NatVar) for v in e.free)
    sizes = iter(procedure.sizes[free:])
    functions = iter(procedure.tables)
    bound: list[Any] = []
    t: Type = e.type
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, DepFunType):
            bound.append(next(functions).function if t.kind == SIZE_FUNCTION else next(sizes))
        t = t.result
    return bound


def as_argument(size: Any) -> Any:
    """A size or a size function as the argument of a dependent function."""
    return nat(size) if isinstance(size, NatVar) else size


def diagnosed(
    error: TranslationError, records: Mapping[str, Translation], e: Expr, levels: frozenset[str]
) -> Diagnostic:
    """The diagnostic of an error. If it is about a variable that a high-level primitive computes, it says that the
    primitive was not lowered.
    """

    def is_view(name: str) -> bool:
        return name in records and records[name].place is not None

    high = high_behind(e, error.origin, is_view) if error.diagnostic.code == NOT_WRITTEN else None
    return (
        error.diagnostic if high is None else not_lowered(high, Translator(levels, records).available(high))
    )


def procedure_of(records: Mapping[str, Translation], e: Expr, name: str, levels: frozenset[str]) -> Procedure:
    """The procedure of a term."""
    refuse_open(e, records)
    refuse_large(e)
    tr = Translator(levels, records)
    bound = parameters_of(tr, e)
    output, cells = boundary(tr, "output", bound.result)
    check_access(e, records)
    check_apart(e)
    obliged = obligations_of(e, bound)
    checked = tuple(o for o in obliged if o.subject.free or refuse_fixed(o))  # before any division by a size
    tr.divisors.update(divisors_of(o.subject for o in obliged if o.relation == "divides"))
    run(write(tr, place_at(tr, bound.result, cells, ROOT), Term(e, None, ROOT), *bound.arguments))
    tables = (
        *(replace(its, reaches=reaches_of(tr, its.function)) for its in bound.tables),
        *tr.derived.values(),
    )
    body = finished_body(tr)
    return Procedure(
        as_word(name),
        (*bound.sizes, *(table.rows for table in tables), *tr.measures.values()),
        (*bound.inputs, *(table.starts for table in tables)),
        output,
        body,
        checked,
        tuple(bound.explicit),
        tuple(tr.distinct.values()),
        tables=tables,
        measures=tuple((size, measured) for measured, size in tr.measures.items()),
        is_specified=not has_primitive(e, *_UNSPECIFIED),
    )


def obligations_of(e: Expr, bound: Parameters) -> tuple[Obligation, ...]:
    """What a term promises and demands of its sizes, by the names of the procedure's sizes."""
    return tuple(
        replace(o, subject=substitute_naturals(o.subject, bound.names))
        for o in (*promises(e), *obligations(e))
    )


def finished_body(tr: Translator) -> Block:
    """The statements of a finished translation, without those that have no effect."""
    statements = settle_copies(tr.finish()) if tr.has_copies else tr.finish()
    body = without_decided(tighten_loops(merge_names(statements, tr.merged)))
    if not tr.is_gpu:  # where threads meet, all of them run all iterations
        body = with_decided_indices(without_masked(body, tr.locals), tr.locals)
    return without_unused(body, tr.locals)


def refuse_large(e: Expr) -> None:
    """Raise TranslationError for a fixed size that exceeds a kernel's integers."""
    size_and_origin = too_large(e)
    if size_and_origin is not None:
        title = f"expected sizes below 2^63, found {number_text(size_and_origin[0])}"
        fail("size-too-large", title, "use smaller sizes", size_and_origin[1])


def refuse_fixed(obligation: Obligation) -> bool:
    """Raise TranslationError if an obligation about fixed sizes fails. Otherwise False: it needs no check."""
    if check_obligations([obligation], {}) is not None:
        wanted = {"divides": "to be whole", "<=": "to be >= 0", "positive": "to be >= 1"}[obligation.relation]
        title = f"expected sizes that fit, found {show_nat(obligation.subject)} where {obligation.reason} {wanted}"
        fail(
            "size-mismatch", title, "fix other sizes, or leave them symbolic, to be checked at each call", ()
        )
    return False


def check_access(e: Expr, records: Mapping[str, Translation]) -> None:
    """Raise TranslationError if an array is read that is not stored, or if an array in memory must be written."""
    conflict = find_conflict(e, {record.name: record.access for record in records.values()})
    if conflict is not None:
        refuse = not_written if conflict.expected == WRITE else not_stored
        refuse(conflict.subject, conflict.origin)


def check_apart(e: Expr) -> None:
    """Raise TranslationError if iterations that run in parallel may write the same element."""
    for path, view in not_apart(e):
        parallel_write(view, path)


def refuse_open(e: Expr, known: Container[str]) -> None:
    """Raise TranslationError for free variables that are not foreign functions."""
    open_variables = (v for v in e.free if isinstance(v, Var) and v.name not in known)
    for variable in sorted(open_variables, key=lambda v: v.name):
        fail(
            "free-variable",
            f"`{variable.name}` is free: a kernel's inputs are parameters",
            "bind it with fun",
            (),
        )


def reaches_of(tr: Translator, function: SizeFunction) -> tuple[Nat, ...]:
    """How many values of a size function are read: one number for each place that reads them."""
    return tuple(reach for read_function, reach in tr.reaches if read_function is function)
