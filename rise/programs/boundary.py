"""Matches Python values with a program's parameters, which determines sizes and type variables.

Depends on types, numpy, and the binders of terms. Each mistake is one diagnostic; nothing is converted silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, NoReturn, TypeAlias

import numpy as np

from rise.arguments.leaves import both_of
from rise.arguments.libraries import as_numpy, cast_hint, described
from rise.arguments.library import dtype_text
from rise.arguments.mismatches import (
    SCALAR_NAMES,
    brief,
    check_indices,
    found_text,
    given_number,
    given_pair,
    given_size,
    is_python_number,
    mismatch,
    pair_text,
    refuse,
    refuse_pair_in_array,
    size_notes,
)
from rise.arguments.ragged_arrays import halves_of, table_of
from rise.arguments.sizes import dtype_of, instantiate_all
from rise.diagnostics import did_you_mean
from rise.facts import evaluate_fact
from rise.naturals import Nat, NatVar, const, nat
from rise.programs.row_arguments import GivenRows, cut_rows, take_rows
from rise.records import dataclass
from rise.scalars import SCALARS, SIZE_FUNCTION, kind_classes
from rise.size_equations import Equation, solve, value_at
from rise.size_functions import SizeFunVar, SizeTable
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text.nat_printer import show_fact
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    DepPairType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    Type,
    TypeVar,
    VectorType,
    WideType,
    classes_of,
    instantiate_dependent,
    type_at,
    wide,
)
from rise.values import Data, Leaf, leaves, map_rows, refuse_rank, truth

Variable: TypeAlias = NatVar | TypeVar | SizeFunVar
_Work: TypeAlias = "tuple[Any, tuple[Nat, ...], Type] | None"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A data parameter, and its argument."""

    name: str
    type: Type
    value: Any


@dataclass(slots=True)
class Boundary:
    """The sizes and types that arguments have determined so far."""

    sizes: dict[Any, Any] = field(default_factory=dict)
    types: dict[TypeVar, Type] = field(default_factory=dict)
    origins: dict[NatVar, str] = field(default_factory=dict)
    equations: list[Equation] = field(default_factory=list)
    indices: list[tuple[Parameter, Nat, Leaf]] = field(default_factory=list)
    ragged: list[GivenRows] = field(default_factory=list)


def accept(e: Expr, arguments: Sequence[Any], sizes: Mapping[str, int]) -> tuple[Any, ...]:
    """All arguments of a term, in order: naturals, types and spaces, and values.

    Raises RiseError if the arguments do not fit the term's type.
    """
    boundary = Boundary()
    slots = _slots(boundary, e, arguments, sizes)
    values: dict[int, Data] = {}
    # A Python number whose type is a variable waits until other arguments determine the type.
    waits = [
        isinstance(s, Parameter) and isinstance(s.type, TypeVar) and is_python_number(s.value) for s in slots
    ]
    for is_waiting in (False, True):
        for position, slot in enumerate(slots):
            if isinstance(slot, Parameter) and waits[position] is is_waiting:
                values[position] = _match(boundary, slot)
    solve(boundary.equations, boundary.sizes, boundary.origins, _report(boundary, slots))
    for slot in slots:
        _refuse_unknown(boundary, slot)
    for parameter, bound, leaf in boundary.indices:
        end = value_at(bound, boundary.sizes)
        if end is not None:  # otherwise the sizes are reported next, and the program does not run
            check_indices(parameter.name, leaf, int(end))
    for rows in boundary.ragged:
        rows.check(boundary.sizes)
    finished = [_finished(boundary, slot, values.get(position)) for position, slot in enumerate(slots)]
    _check_facts(e, finished)
    return tuple(finished)


def _slots(boundary: Boundary, e: Expr, arguments: Sequence[Any], sizes: Mapping[str, int]) -> list[Any]:
    """A slot for each binder: a variable whose value is to be determined, a dependent argument, or a parameter."""
    count, implicit = _arity(e.type)
    if len(arguments) != count:
        takes = "1 argument" if count == 1 else f"{count} arguments"
        title, note = f"the program takes {takes}, found {len(arguments)}", f"its type is {brief(e.type)}"
        refuse("argument-count", title, "pass one for each parameter", (note,))
    for name in sizes:
        if name not in implicit:
            hint = did_you_mean(name, implicit) or f"it has {', '.join(implicit) or 'none'}"
            refuse("unknown-name", f"the program has no implicit size `{name}`", hint)
    remaining: Any = e.type
    inner: Expr | None = e
    given = iter(arguments)
    slots: list[Any] = []
    while isinstance(remaining, FunType | DepFunType):
        name = inner.name if isinstance(inner, Lam | DepLam) else ""
        inner = inner.body if isinstance(inner, Lam | DepLam) else None
        name = name or f"argument {len(slots) + 1}"
        if isinstance(remaining, FunType):
            slots.append(Parameter(name, remaining.parameter, next(given)))
            remaining = remaining.result
            continue
        if remaining.implicit:
            slots.append(_variable(remaining.name, remaining.kind, slots))
            if remaining.kind == SIZE_FUNCTION and remaining.name in sizes:
                boundary.sizes[slots[-1]] = table_of(remaining.name, sizes[remaining.name])
            if remaining.kind == "nat" and remaining.name in sizes:
                boundary.sizes[slots[-1]] = given_size(remaining.name, sizes[remaining.name])
                boundary.origins[slots[-1]] = "`sizes`"
        else:
            slots.append(_explicit(remaining.name, remaining.kind, next(given)))
        argument = nat(slots[-1]) if isinstance(slots[-1], NatVar) else slots[-1]
        remaining = instantiate_dependent(remaining.result, argument)
    return slots


def _arity(t: Any) -> tuple[int, list[str]]:
    """The number of explicit arguments, and the names of implicit sizes."""
    explicit = 0
    implicit: list[str] = []
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, DepFunType) and t.implicit:
            implicit += [t.name] if t.kind in ("nat", SIZE_FUNCTION) else []
        else:
            explicit += 1
        t = t.result
    return explicit, implicit


def _variable(name: str, kind: str, before: list[Any]) -> Variable:
    assert kind != "space", "a space is an explicit parameter"
    taken = {slot.name for slot in before if isinstance(slot, NatVar | TypeVar | SizeFunVar)}
    while name in taken:
        name += "'"
    if kind == SIZE_FUNCTION:
        return SizeFunVar(name)
    return NatVar(name, None) if kind == "nat" else TypeVar(name, kind)


def _explicit(name: str, kind: str, value: Any) -> Any:
    """An explicit dependent argument."""
    match kind, value:
        case "nat -> nat", _:
            return table_of(name, value)
        case "nat", _:
            return const(given_size(name, value))
        case "space", str() | Space():
            return Space(value) if isinstance(value, str) else value
        case _, str() if value in SCALARS:
            value = ScalarType(value)
    if not isinstance(value, Type) or not kind_classes(kind) <= (classes_of(value) or frozenset()):
        refuse("argument-type", f"`{name}`: expected a type of class {kind}, found {_found(value)}")
    return value


def _match(boundary: Boundary, parameter: Parameter) -> Data:
    """The parameter's value as data; records what its shape determines. Iterative, since pairs may be deeply nested."""
    values: list[Data] = []
    stack: list[_Work] = [(parameter.value, (), parameter.type)]
    while stack:
        item = stack.pop()
        if item is None:
            second, first = values.pop(), values.pop()
            values.append((first, second))
            continue
        value, axes, expected = item
        refuse_rank(len(axes))
        match expected:
            case ArrayType(size, element) | VectorType(size, element):
                stack.append((value, (*axes, size), element))
            case DepPairType(family):
                if axes:
                    refuse_pair_in_array(parameter.type)
                number, value = given_pair(parameter.name, parameter.type, value)
                values.append(np.asarray(number, np.int64))
                stack += [None, (value, axes, type_at(family, const(number)))]
            case DepArrayType() if (halves := halves_of(expected)) is not None:
                if not isinstance(value, tuple) or len(value) != 2:
                    hint = "pass a tuple of two: dependent arrays of pairs are pairs of dependent arrays"
                    _mismatch(parameter, _found(value), hint)
                stack += [None, (value[1], axes, halves[1]), (value[0], axes, halves[0])]
            case DepArrayType():
                values.append(_match_rows(boundary, parameter, value, axes, expected))
            case FragmentType(rows, columns, _, element):
                stack.append((value, (*axes, rows, columns), element))
            case PairType(first_type, second_type):
                two = both_of(second_type, value)
                if two is None:
                    hint = "pass a tuple of two" + (
                        " arrays: an array of pairs is a pair of arrays" if axes else ""
                    )
                    _mismatch(parameter, _found(value), hint)
                stack += [None, (two[1], axes, second_type), (two[0], axes, first_type)]
            case TypeVar():
                if expected not in boundary.types:
                    boundary.types[expected] = _type_of(parameter, expected, value, len(axes))
                stack.append((value, axes, boundary.types[expected]))
            case WideType(TypeVar(name) as narrow):
                if narrow not in boundary.types:
                    title = f"no argument before `{parameter.name}` determines the type `{name}`"
                    refuse("type-unknown", title, f"fix it first: specialise(e, {name}='f32')")
                stack.append((value, axes, wide(boundary.types[narrow])))
            case ScalarType() | IndexType():
                leaf = _leaf(parameter, value, len(axes), expected)
                boundary.equations += [
                    Equation(size, length, parameter.name, axis)
                    for axis, (size, length) in enumerate(zip(axes, leaf.shape, strict=True))
                ]
                if isinstance(expected, IndexType):
                    boundary.indices.append((parameter, expected.size, leaf))
                values.append(leaf)
            case _:
                title = f"`{parameter.name}` is a function, and evaluation takes data"
                refuse("argument-type", title, "apply the program to the function in its text")
    return values[0]


def _match_rows(
    boundary: Boundary, parameter: Parameter, value: Any, axes: tuple[Nat, ...], expected: DepArrayType
) -> Any:
    """A dependent array. It is split into rows once all sizes are known."""
    rows = take_rows(parameter.name, parameter.type, value, axes, expected)
    leaf = _leaf(parameter, rows.values, len(rows.shape), rows.element)
    rows = replace(rows, values=leaf)
    if rows.lengths is not None and isinstance(rows.function, SizeFunVar):
        boundary.sizes.setdefault(rows.function, SizeTable(tuple(rows.lengths.tolist())))
    boundary.equations += rows.equations(leaf.shape)
    if isinstance(rows.element, IndexType):
        boundary.indices.append((parameter, rows.element.size, leaf))
    boundary.ragged.append(rows)
    return rows


def _leaf(parameter: Parameter, value: Any, rank: int, expected: Type) -> Leaf:
    """An array of scalars or a number, which must have exactly the expected type."""
    dtype = dtype_of(expected)
    if is_python_number(value):
        if rank:
            _mismatch(parameter, _found(value))
        number: Leaf = given_number(parameter.name, parameter.type, value, dtype)
        return number
    array = as_numpy(parameter.name, value)
    if not isinstance(array, np.ndarray | np.generic):
        hint = "" if rank == 0 else f"pass a numpy array: numpy.asarray(..., dtype={dtype_text(dtype)})"
        _mismatch(parameter, _found(value), hint)
    leaf = np.asarray(array)
    if leaf.dtype != dtype or leaf.ndim != rank:
        hint = "" if leaf.dtype == dtype else cast_hint(value, leaf.dtype, dtype)
        _mismatch(parameter, described(value, leaf), hint)
    return truth(leaf)


def _type_of(parameter: Parameter, variable: TypeVar, value: Any, axes: int) -> Type:
    """The type that a type variable stands for, given an array with elements of that type below some leading axes."""
    types: list[Type] = []
    stack = [value]
    tree: Any
    while stack:
        tree = as_numpy(parameter.name, stack.pop())
        match tree:
            case None if len(types) > 1:
                second, first = types.pop(), types.pop()
                types.append(PairType(first, second))
            case tuple() if len(tree) == 2:
                stack += [None, tree[1], tree[0]]
            case np.ndarray() | np.generic() if np.ndim(tree) >= axes and tree.dtype in SCALAR_NAMES:
                t: Type = ScalarType(SCALAR_NAMES[tree.dtype])
                for size in reversed(tree.shape[axes:]):
                    t = ArrayType(const(size), t)
                types.append(t)
            case _:
                hint = (
                    f"pass a numpy scalar: its dtype determines {variable.name} is"
                    if is_python_number(tree)
                    else ""
                )
                _mismatch(parameter, _found(tree), hint)
    if not kind_classes(variable.kind) <= (classes_of(types[0]) or frozenset()):
        _mismatch(parameter, _found(value), f"{variable.name} must be a type of class {variable.kind}")
    return types[0]


def _report(boundary: Boundary, slots: list[Any]) -> Callable[[Equation, int | None], NoReturn]:
    """A function that reports a size that does not fit."""

    def report(equation: Equation, expected: int | None) -> NoReturn:
        (parameter,) = [s for s in slots if isinstance(s, Parameter) and s.name == equation.parameter][:1]
        notes = size_notes(equation, expected, boundary.sizes, boundary.origins)
        is_pair = isinstance(parameter.type, DepPairType)
        found = pair_text(parameter.value) if is_pair else _found(parameter.value)
        _mismatch(parameter, found, "", notes)

    return report


def _refuse_unknown(boundary: Boundary, slot: Any) -> None:
    match slot:
        case SizeFunVar(name) if slot not in boundary.sizes:
            title = f"no argument determines the function of sizes `{name}`"
            refuse("size-unknown", title, f"pass its values: sizes={{{name!r}: [...]}}")
        case NatVar(name) if slot not in boundary.sizes:
            title = f"no argument determines the size `{name}`"
            refuse("size-unknown", title, f"pass it: sizes={{{name!r}: ...}}")
        case TypeVar(name) if slot not in boundary.types:
            title = f"no argument determines the type `{name}`"
            refuse("type-unknown", title, f"fix it first: specialise(e, {name}='f32')")


def _finished(boundary: Boundary, slot: Any, value: Data | None) -> Any:
    match slot:
        case SizeFunVar():
            return boundary.sizes[slot]
        case NatVar():
            return const(boundary.sizes[slot])
        case TypeVar():
            return boundary.types[slot]
        case Parameter():
            assert value is not None, slot
            return map_rows(lambda leaf: cut_rows(leaf, boundary.sizes), value) if boundary.ragged else value
        case _:
            return slot


def _check_facts(e: Expr, slots: list[Any]) -> None:
    """Raise RiseError if a promise in the term's head is false for these arguments."""
    dependent: list[Any] = []
    for slot in slots:
        if not isinstance(e, Lam | DepLam):
            return
        if isinstance(e, DepLam):
            dependent.append(slot)
            for fact in e.facts:
                closed: Fact = instantiate_all(fact, dependent)
                if not evaluate_fact(closed, {}):
                    title = f"the program promises `{show_fact(closed)}`, which is false"
                    refuse("fact", title, "choose sizes for which it holds")
        e = e.body


def _found(value: Any) -> str:
    is_pair = isinstance(value, tuple) and len(value) == 2
    return (
        "a pair" if is_pair and all(isinstance(x, np.ndarray) for x in leaves(value)) else found_text(value)
    )


def _mismatch(parameter: Parameter, found: str, hint: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    mismatch(parameter.name, parameter.type, found, hint, notes)
