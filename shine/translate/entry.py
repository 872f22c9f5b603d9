"""Translates a closed term to a procedure: sizes, inputs, output, body. Independent of primitives."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from rise.analysis.injections import not_apart
from rise.analysis.obligations import Obligation, check_obligations, obligations, too_large
from rise.arguments.leaves import leaves_of as arrays_of
from rise.arguments.sizes import instantiate_all
from rise.diagnostics import Diagnostic, number_text
from rise.indices import divisors_of
from rise.naturals import Atom, Nat, NatVar, const, nat
from rise.nodes import postorder
from rise.primitives import with_trait
from rise.programs.dependent_pairs import Apart, take_apart
from rise.programs.foreign import Foreign, foreign_functions
from rise.programs.heads import promises
from rise.quotients import substitute_naturals
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunction, SizeFunVar
from rise.terms import DepLam, Expr, Lam, Primitive, Var
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, DepFunType, FunType, Type, instantiate_dependent
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
from shine.imperative.known_conditions import without_decided
from shine.imperative.masks import without_masked
from shine.imperative.names import part_names
from shine.imperative.nodes import I64, Block, Buffer, PairInput, Parameter, Procedure, Table
from shine.imperative.updates import without_unused
from shine.translate.access import WRITE, find_conflict
from shine.translate.accumulators import merge_names
from shine.translate.causes import high_behind
from shine.translate.copies import settle_copies
from shine.translate.core import Known, Term, Translation, Translator, write
from shine.translate.foreign import translations_of
from shine.translate.layout import Cells, leaves_of
from shine.translate.loop_bounds import tighten_loops
from shine.translate.memory import place_at, reader_at
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
    size_names: dict[Any, Any] = {}  # the procedure's sizes by the names in obligations
    sizes: list[NatVar] = []
    inputs: list[Parameter] = []
    explicit: list[tuple[int, NatVar]] = []
    arguments: list[Any] = []
    for size in sorted((v for v in e.free if isinstance(v, NatVar)), key=lambda v: v.order):
        if tr.names.fresh(size.name) != size.name:
            fail(
                "size-name",
                f"expected a size whose name is a C identifier, found `{size.name}`",
                "rename it",
                (),
            )
        size_names[size] = size
        sizes.append(size)
    tables: list[Table] = []
    t: Type = e.type
    names = binder_names(e)
    while isinstance(t, FunType | DepFunType):
        binder = names.pop() if names else ""
        if isinstance(t, DepFunType) and t.kind == SIZE_FUNCTION:
            tables.append(table_parameter(t, tr))
            arguments.append(tables[-1].function)
            t = instantiate_dependent(t.result, tables[-1].function)
        elif isinstance(t, DepFunType):
            size = size_parameter(t, tr)
            size_names[obligation_name(t.name, size_names)] = size
            sizes.append(size)
            if not t.implicit:
                explicit.append((len(explicit) + len(inputs), size))
            arguments.append(nat(size))
            t = instantiate_dependent(t.result, nat(size))
        else:
            tr.sizes.update(sizes)
            parameter, cells = boundary(tr, binder or "x", t.parameter)
            inputs.append(parameter)
            shapes = (leaf.shape for leaf in arrays_of(parameter.name, parameter.type))
            tr.inputs.update(zip((buffer.name for buffer in parameter.buffers), shapes, strict=True))
            arguments.append(Known(reader_at(tr, t.parameter, cells, ROOT), t.parameter))
            t = t.result
    tr.sizes.update(sizes)
    output, cells = boundary(tr, "output", t)
    check_access(e, records)
    for path, view in not_apart(e):
        parallel_write(view, path)
    promised = tuple(
        replace(o, subject=substitute_naturals(o.subject, size_names))
        for o in (*promises(e), *obligations(e))
    )
    checked = tuple(o for o in promised if o.subject.free or refuse_fixed(o))  # before any division by a size
    tr.divisors.update(divisors_of(o.subject for o in promised if o.relation == "divides"))
    run(write(tr, place_at(tr, t, cells, ROOT), Term(e, None, ROOT), *arguments))
    tables = [replace(table, reaches=reaches_of(tr, table.function)) for table in tables]
    tables += tr.derived.values()
    body = without_decided(tighten_loops(merge_names(finished_statements(tr), tr.merged)))
    if not tr.is_gpu:  # where threads meet, all of them run all iterations
        body = without_masked(body, tr.locals)
    body = without_unused(body, tr.locals)
    return Procedure(
        as_word(name),
        (*sizes, *(table.rows for table in tables), *tr.measures.values()),
        (*inputs, *(table.starts for table in tables)),
        output,
        body,
        checked,
        tuple(explicit),
        tuple(tr.distinct.values()),
        tables=tuple(tables),
        measures=tuple((size, measured) for measured, size in tr.measures.items()),
        is_specified=not any(
            isinstance(node, Primitive) and node.name in _UNSPECIFIED for node in postorder(e)
        ),
    )


def finished_statements(tr: Translator) -> Block:
    """The statements of a finished translation."""
    return settle_copies(tr.finish()) if tr.has_copies else tr.finish()


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


def obligation_name(name: str, taken: Container[Atom]) -> NatVar:
    """The name of the next size that a term binds, outermost first, in `rise.analysis.obligations`."""
    candidate = NatVar(name or "n", None)
    count = 1
    while candidate in taken:
        count += 1
        candidate = NatVar(f"{name or 'n'}{count}", None)
    return candidate


def check_access(e: Expr, records: Mapping[str, Translation]) -> None:
    """Raise TranslationError if an array is read that is not stored, or if an array in memory must be written."""
    conflict = find_conflict(e, {record.name: record.access for record in records.values()})
    if conflict is not None:
        refuse = not_written if conflict.expected == WRITE else not_stored
        refuse(conflict.subject, conflict.origin)


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


def binder_names(e: Expr) -> list[str]:
    """The names of a term's parameters, sizes included, in reverse order."""
    names: list[str] = []
    while isinstance(e, Lam | DepLam):
        names.append(e.name)
        e = e.body
    names.reverse()
    return names


def size_parameter(t: DepFunType, tr: Translator) -> NatVar:
    """The size for a dependent parameter."""
    if t.kind != "nat":
        title = f"expected a term whose types are known, found the parameter `{t.name}: {t.kind}`"
        fail("polymorphic", title, f"choose it with rise.specialise(e, {t.name}=...)", ())
    return NatVar(tr.names.fresh(t.name), None)


def table_parameter(t: DepFunType, tr: Translator) -> Table:
    """A size function with the input that holds its sums."""
    name = tr.names.fresh(t.name)
    rows = NatVar(tr.names.fresh(f"{name}_rows"), None)
    starts = NatVar(tr.names.fresh(f"{name}_starts"), None).name
    buffer = Buffer(starts, I64, nat(rows) + 1, "Global", ())
    function = SizeFunVar(name)
    tr.tables[function] = buffer
    return Table(function, Parameter(starts, ArrayType(nat(rows) + 1, I64), (buffer,)), rows)


def reaches_of(tr: Translator, function: SizeFunction) -> tuple[Nat, ...]:
    """How many values of a size function are read: one number for each place that reads them."""
    return tuple(reach for read_function, reach in tr.reaches if read_function is function)


def boundary(tr: Translator, name: str, t: Type) -> tuple[Parameter, Cells]:
    """An input or the output, with its cells."""
    if isinstance(t, FunType | DepFunType):
        fail(
            "function-parameter",
            f"expected data, found a function as `{name}`",
            "apply it before compiling",
            (),
        )
    leaves = [replace(leaf, size=tr.measured(leaf.size, ROOT)) for leaf in leaves_of(t, ())]
    base = tr.names.fresh(name)
    parts = part_names(base, len(leaves))
    names = parts if len(leaves) == 1 else [tr.names.fresh(one) for one in parts]
    buffers = tuple(
        Buffer(buffer_name, leaf.element, leaf.size, "Global", ())
        for buffer_name, leaf in zip(names, leaves, strict=True)
    )
    return Parameter(base, t, buffers), tuple((buffer, const(0)) for buffer in buffers)
