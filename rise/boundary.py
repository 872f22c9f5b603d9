"""Where Python's values enter a program: arguments meet types, which determines sizes and type variables.

Knows types, numpy, and of terms their binders. One mistake is one diagnostic; nothing is converted silently.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from rise.diagnostics import Diagnostic, RiseError, did_you_mean
from rise.facts import evaluate_fact
from rise.heads import show_fact
from rise.naturals import Atom, Nat, NatVar, const, nat
from rise.rounding import is_integral, round_number
from rise.scalars import SCALARS, kind_classes
from rise.size_equations import Equation, solve, value_at
from rise.sizes import dtype_of, instantiate_all
from rise.terms import DepLam, Expr, Fact, Lam
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from rise.types import (
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    Type,
    TypeVar,
    VectorType,
    classes_of,
    instantiate_dependent,
)
from rise.values import Data, Leaf, leaves, refuse_rank

Variable: TypeAlias = NatVar | TypeVar
_Work: TypeAlias = "tuple[Any, tuple[Nat, ...], Type] | None"
_NAMES: Final[Mapping[np.dtype[Any], str]] = {facts.dtype: name for name, facts in SCALARS.items()}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of data, and what it is given."""

    name: str
    type: Type
    value: Any


@dataclass(slots=True)
class Boundary:
    """What is known so far of the sizes and types that arguments determine."""

    sizes: dict[Atom, int] = field(default_factory=dict)
    types: dict[TypeVar, Type] = field(default_factory=dict)
    origins: dict[NatVar, str] = field(default_factory=dict)
    equations: list[Equation] = field(default_factory=list)
    indices: list[tuple[Parameter, Nat, Leaf]] = field(default_factory=list)


def accept(e: Expr, arguments: Sequence[Any], sizes: Mapping[str, int]) -> tuple[Any, ...]:
    """All that a term is to be applied to, in order: naturals, types and spaces, and values.

    Raises RiseError where the arguments do not fit the term's type.
    """
    boundary = Boundary()
    slots = _slots(boundary, e, arguments, sizes)
    values: dict[int, Data] = {}
    # A Python number of a type that is a variable waits for other arguments to say which type that is.
    waits = [isinstance(s, Parameter) and isinstance(s.type, TypeVar) and _is_number(s.value) for s in slots]
    for late in (False, True):
        for position, slot in enumerate(slots):
            if isinstance(slot, Parameter) and waits[position] is late:
                values[position] = _match(boundary, slot)
    solve(boundary.equations, boundary.sizes, boundary.origins, _report(boundary, slots))
    for slot in slots:
        _refuse_unknown(boundary, slot)
    for parameter, bound, found in boundary.indices:
        _check_indices(parameter, value_at(bound, boundary.sizes), found)
    finished = [_finished(boundary, slot, values.get(position)) for position, slot in enumerate(slots)]
    _check_facts(e, finished)
    return tuple(finished)


def _slots(boundary: Boundary, e: Expr, arguments: Sequence[Any], sizes: Mapping[str, int]) -> list[Any]:
    """One slot for each binder: a variable to be solved, a dependent argument, or a parameter."""
    wanted, implicit = _arity(e.type)
    if len(arguments) != wanted:
        takes = "1 argument" if wanted == 1 else f"{wanted} arguments"
        note = f"its type is {_brief(e.type)}"
        _refuse("argument-count", f"the program takes {takes}, found {len(arguments)}", "", (note,))
    for name in sizes:
        if name not in implicit:
            hint = did_you_mean(name, implicit) or f"it has {', '.join(implicit) or 'none'}"
            _refuse("unknown-name", f"the program has no implicit size `{name}`", hint)
    rest: Any = e.type
    inner: Expr | None = e
    given = iter(arguments)
    slots: list[Any] = []
    while isinstance(rest, FunType | DepFunType):
        name = inner.name if isinstance(inner, Lam | DepLam) else ""
        inner = inner.body if isinstance(inner, Lam | DepLam) else None
        name = name or f"argument {len(slots) + 1}"
        if isinstance(rest, FunType):
            slots.append(Parameter(name, rest.parameter, next(given)))
            rest = rest.result
            continue
        if rest.implicit:
            slots.append(_variable(rest.name, rest.kind, slots))
            if rest.kind == "nat" and rest.name in sizes:
                boundary.sizes[slots[-1]] = _size(rest.name, sizes[rest.name])
                boundary.origins[slots[-1]] = "`sizes`"
        else:
            slots.append(_explicit(rest.name, rest.kind, next(given)))
        argument = nat(slots[-1]) if isinstance(slots[-1], NatVar) else slots[-1]
        rest = instantiate_dependent(rest.result, argument)
    return slots


def _arity(t: Any) -> tuple[int, list[str]]:
    """How many arguments are explicit, and the names of implicit sizes."""
    explicit = 0
    implicit: list[str] = []
    while isinstance(t, FunType | DepFunType):
        if isinstance(t, DepFunType) and t.implicit:
            implicit += [t.name] if t.kind == "nat" else []
        else:
            explicit += 1
        t = t.result
    return explicit, implicit


def _variable(name: str, kind: str, before: list[Any]) -> Variable:
    assert kind != "space", "a space is an explicit parameter"
    taken = {slot.name for slot in before if isinstance(slot, NatVar | TypeVar)}
    while name in taken:
        name += "'"
    return NatVar(name, None) if kind == "nat" else TypeVar(name, kind)


def _explicit(name: str, kind: str, value: Any) -> Any:
    """An explicit dependent argument."""
    match kind, value:
        case "nat", _:
            return const(_size(name, value))
        case "space", str() | Space():
            return Space(value) if isinstance(value, str) else value
        case _, str() if value in SCALARS:
            value = ScalarType(value)
    if not isinstance(value, Type) or not kind_classes(kind) <= (classes_of(value) or frozenset()):
        _refuse("argument-type", f"`{name}`: expected a type of class {kind}, found {_found(value)}")
    return value


def _size(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        _refuse("argument-type", f"`{name}`: expected a size, an integer >= 0, found {_found(value)}")
    return int(value)


def _match(boundary: Boundary, parameter: Parameter) -> Data:
    """The parameter's value as data, what its shape says noted. Iterative: pairs may be nested deeply."""
    done: list[Data] = []
    work: list[_Work] = [(parameter.value, (), parameter.type)]
    while work:
        item = work.pop()
        if item is None:
            second, first = done.pop(), done.pop()
            done.append((first, second))
            continue
        value, axes, expected = item
        refuse_rank(len(axes))
        match expected:
            case ArrayType(size, element) | VectorType(size, element):
                work.append((value, (*axes, size), element))
            case FragmentType(rows, columns, _, element):
                work.append((value, (*axes, rows, columns), element))
            case PairType(first_type, second_type):
                if not isinstance(value, tuple) or len(value) != 2:
                    hint = "give a tuple of two" + (
                        " arrays: an array of pairs is a pair of arrays" if axes else ""
                    )
                    _mismatch(parameter, _found(value), hint)
                work += [None, (value[1], axes, second_type), (value[0], axes, first_type)]
            case TypeVar():
                if expected not in boundary.types:
                    boundary.types[expected] = _type_of(parameter, expected, value, len(axes))
                work.append((value, axes, boundary.types[expected]))
            case ScalarType() | IndexType():
                leaf = _leaf(parameter, value, len(axes), expected)
                boundary.equations += [
                    Equation(size, found, parameter.name, axis)
                    for axis, (size, found) in enumerate(zip(axes, leaf.shape, strict=True))
                ]
                if isinstance(expected, IndexType):
                    boundary.indices.append((parameter, expected.size, leaf))
                done.append(leaf)
            case _:
                title = f"`{parameter.name}` is a function, and evaluation takes data"
                _refuse("argument-type", title, "apply the program to the function in its text")
    return done[0]


def _leaf(parameter: Parameter, value: Any, rank: int, expected: Type) -> Leaf:
    """An array of scalars, or a number, of exactly the type."""
    dtype = dtype_of(expected)
    if _is_number(value):
        return _number(parameter, value, rank, dtype)
    if not isinstance(value, np.ndarray | np.generic):
        hint = "" if rank == 0 else f"give a numpy array: numpy.array(..., dtype={dtype.name!r})"
        _mismatch(parameter, _found(value), hint)
    leaf = np.asarray(value)
    if leaf.dtype != dtype or leaf.ndim != rank:
        hint = (
            ""
            if leaf.dtype == dtype
            else f"convert it: .astype({dtype.name!r}); nothing is converted silently"
        )
        _mismatch(parameter, _found(value), hint)
    return leaf


def _number(parameter: Parameter, value: Any, rank: int, dtype: np.dtype[Any]) -> Leaf:
    wants_bool, wants_integer = dtype.kind == "b", is_integral(dtype)
    if rank > 0 or isinstance(value, bool) != wants_bool or (wants_integer and isinstance(value, float)):
        _mismatch(parameter, _found(value))
    try:
        number = round_number(value, dtype)
    except OverflowError:
        _mismatch(parameter, f"{value}, which is out of range")
    if not (wants_bool or wants_integer) and np.isinf(number) and value not in (math.inf, -math.inf):
        _mismatch(parameter, f"{value}, which is out of range")
    return number


def _type_of(parameter: Parameter, variable: TypeVar, value: Any, axes: int) -> Type:
    """What a type variable stands for, if a value whose first axes are spoken for has that type."""
    done: list[Type] = []
    work = [value]
    tree: Any
    while work:
        tree = work.pop()
        match tree:
            case None if len(done) > 1:
                second, first = done.pop(), done.pop()
                done.append(PairType(first, second))
            case tuple() if len(tree) == 2:
                work += [None, tree[1], tree[0]]
            case np.ndarray() | np.generic() if np.ndim(tree) >= axes and tree.dtype in _NAMES:
                found: Type = ScalarType(_NAMES[tree.dtype])
                for size in reversed(tree.shape[axes:]):
                    found = ArrayType(const(size), found)
                done.append(found)
            case _:
                hint = (
                    f"give a numpy scalar: its dtype says what {variable.name} is" if _is_number(tree) else ""
                )
                _mismatch(parameter, _found(tree), hint)
    if not kind_classes(variable.kind) <= (classes_of(done[0]) or frozenset()):
        _mismatch(parameter, _found(value), f"{variable.name} must be a type of class {variable.kind}")
    return done[0]


def _report(boundary: Boundary, slots: list[Any]) -> Callable[[Equation, int | None], NoReturn]:
    """How a size that does not fit is reported."""

    def report(equation: Equation, expected: int | None) -> NoReturn:
        (parameter,) = [s for s in slots if isinstance(s, Parameter) and s.name == equation.parameter][:1]
        shown = show_nat(equation.size)
        if expected is None:
            fact = f"axis {equation.axis}: no natural number makes {shown} equal to {equation.found}"
        else:
            fact = f"axis {equation.axis}: expected {expected}, found {equation.found}"
            fact = fact if shown == str(expected) else fact.replace("expected", f"expected {shown} =")
        named = [v for v in equation.size.free if isinstance(v, NatVar) and v in boundary.sizes]
        notes = [
            f"{v.name} = {boundary.sizes[v]}, from {boundary.origins[v]}"
            for v in sorted(named, key=lambda v: v.name)
        ]
        _mismatch(parameter, _found(parameter.value), "", (fact, *notes))

    return report


def _refuse_unknown(boundary: Boundary, slot: Any) -> None:
    match slot:
        case NatVar(name) if slot not in boundary.sizes:
            title = f"no argument determines the size `{name}`"
            _refuse("size-unknown", title, f"give it: sizes={{{name!r}: ...}}")
        case TypeVar(name) if slot not in boundary.types:
            title = f"no argument determines the type `{name}`"
            _refuse("type-unknown", title, f"fix it first: specialise(e, {name}='f32')")


def _finished(boundary: Boundary, slot: Any, value: Data | None) -> Any:
    match slot:
        case NatVar():
            return const(boundary.sizes[slot])
        case TypeVar():
            return boundary.types[slot]
        case Parameter():
            return value
        case _:
            return slot


def _check_indices(parameter: Parameter, size: int | None, found: Leaf) -> None:
    if size is None:
        return  # the program will not run: its sizes are checked next
    wrong = (found < 0) | (found >= size)
    if wrong.any():
        place = np.unravel_index(int(np.argmax(wrong)), found.shape)
        at = f" at {tuple(map(int, place))}" if place else ""
        title = f"`{parameter.name}`: expected indices from 0 to {size} (exclusive), found {found[place]}{at}"
        _refuse("index-out-of-range", title)


def _check_facts(e: Expr, slots: list[Any]) -> None:
    """The promises of a term's head are evaluated like everything else."""
    known: list[Any] = []
    for slot in slots:
        if not isinstance(e, Lam | DepLam):
            return
        if isinstance(e, DepLam):
            known.append(slot)
            for fact in e.facts:
                closed: Fact = instantiate_all(fact, known)
                if not evaluate_fact(closed, {}):
                    title = f"the program promises `{show_fact(closed)}`, which is false"
                    _refuse("fact", title, "choose sizes for which it holds")
        e = e.body


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, np.generic)


def _found(value: Any) -> str:
    match value:
        case np.ndarray() | np.generic():
            name = _NAMES.get(value.dtype, str(value.dtype))
            return f"shape {value.shape} of {name}" if value.ndim else f"a scalar of {name}"
        case tuple() if len(value) == 2 and all(isinstance(leaf, np.ndarray) for leaf in leaves(value)):
            return "a pair"
        case bool() | int() | float():
            return f"the Python number {value}"
        case Type():
            return show_type(value)
        case _:
            return f"a value of Python's type {type(value).__name__}"


def _brief(t: Type) -> str:
    shown = show_type(t)
    return shown if len(shown) <= 200 else f"{shown[:197]}..."


def _mismatch(parameter: Parameter, found: str, hint: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    title = f"`{parameter.name}`: expected {_brief(parameter.type)}, found {found}"
    _refuse("argument-type", title, hint, notes)


def _refuse(code: str, title: str, hint: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    raise RiseError(Diagnostic(code, title, hint=hint, notes=notes))
