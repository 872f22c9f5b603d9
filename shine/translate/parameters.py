"""The parameters of a procedure: the sizes, size functions and inputs that a term binds. Independent of primitives."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import field, replace
from typing import Any

from rise.arguments.leaves import leaves_of as arrays_of
from rise.naturals import Atom, NatVar, const, nat
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION
from rise.size_functions import SizeFunVar
from rise.terms import DepLam, Expr, Lam
from rise.types import ArrayType, DepFunType, FunType, Type, instantiate_dependent
from shine.imperative.errors import fail
from shine.imperative.names import part_names
from shine.imperative.nodes import I64, Buffer, Parameter, Table
from shine.translate.core import Known, Translator
from shine.translate.layout import Cells, leaves_of, refuse_bounds
from shine.translate.memory import reader_at
from shine.translate.paths import ROOT


@dataclass(slots=True)
class Parameters:
    """The parameters of a term, outermost first, and the type of its result.

    `arguments` are what the term is applied to, `explicit` the positions of the sizes that a caller passes, and `names`
    the procedure's sizes by their names in obligations.
    """

    result: Type
    sizes: list[NatVar] = field(default_factory=list)
    names: dict[Atom, NatVar] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    inputs: list[Parameter] = field(default_factory=list)
    explicit: list[tuple[int, NatVar]] = field(default_factory=list)
    arguments: list[Any] = field(default_factory=list)


def parameters_of(tr: Translator, e: Expr) -> Parameters:
    """The parameters of a term, with names that no others of the procedure have."""
    bound = Parameters(e.type)
    _bind_free_sizes(tr, e, bound)
    names = binder_names(e)
    while isinstance(bound.result, FunType | DepFunType):
        binder = names.pop() if names else ""
        match bound.result:
            case DepFunType(kind=kind) as t if kind == SIZE_FUNCTION:
                _bind_function(tr, t, bound)
            case DepFunType() as t:
                _bind_size(tr, t, bound)
            case FunType() as t:
                _bind_input(tr, binder or "x", t, bound)
    tr.sizes.update(bound.sizes)
    return bound


def _bind_free_sizes(tr: Translator, e: Expr, bound: Parameters) -> None:
    for size in sorted((v for v in e.free if isinstance(v, NatVar)), key=lambda v: v.order):
        if tr.names.fresh(size.name) != size.name:
            title = f"expected a size whose name is a C identifier, found `{size.name}`"
            fail("size-name", title, "rename it", ())
        bound.names[size] = size
        bound.sizes.append(size)


def _bind_function(tr: Translator, t: DepFunType, bound: Parameters) -> None:
    table = table_parameter(t, tr)
    bound.tables.append(table)
    bound.arguments.append(table.function)
    bound.result = instantiate_dependent(t.result, table.function)


def _bind_size(tr: Translator, t: DepFunType, bound: Parameters) -> None:
    size = size_parameter(t, tr)
    bound.names[obligation_name(t.name, bound.names)] = size
    bound.sizes.append(size)
    if not t.implicit:
        bound.explicit.append((len(bound.explicit) + len(bound.inputs), size))
    bound.arguments.append(nat(size))
    bound.result = instantiate_dependent(t.result, nat(size))


def _bind_input(tr: Translator, name: str, t: FunType, bound: Parameters) -> None:
    tr.sizes.update(bound.sizes)
    refuse_bounds(t.parameter)
    parameter, cells = boundary(tr, name, t.parameter)
    bound.inputs.append(parameter)
    shapes = (leaf.shape for leaf in arrays_of(parameter.name, parameter.type))
    tr.inputs.update(zip((buffer.name for buffer in parameter.buffers), shapes, strict=True))
    bound.arguments.append(Known(reader_at(tr, t.parameter, cells, ROOT), t.parameter))
    bound.result = t.result


def binder_names(e: Expr) -> list[str]:
    """The names of a term's parameters, sizes included, in reverse order."""
    names: list[str] = []
    while isinstance(e, Lam | DepLam):
        names.append(e.name)
        e = e.body
    names.reverse()
    return names


def obligation_name(name: str, taken: Container[Atom]) -> NatVar:
    """The name of the next size that a term binds, outermost first, in `rise.analysis.obligations`."""
    candidate = NatVar(name or "n", None)
    count = 1
    while candidate in taken:
        count += 1
        candidate = NatVar(f"{name or 'n'}{count}", None)
    return candidate


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
