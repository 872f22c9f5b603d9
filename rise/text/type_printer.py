"""Prints types, kinds and dependent arguments. Knows no terms.

Law: reading the text with the same names in scope gives the same type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rise.expected import misplaced
from rise.naturals import Nat, NatVar
from rise.nodes import Node
from rise.size_functions import SizeFunction, SizeFunVar
from rise.text.names import Binding, Names, name_at
from rise.text.nat_printer import FACTOR, SUM, check_printed, show_nat, show_size_function
from rise.types import (
    Argument,
    ArrayType,
    DepArrayType,
    DepFunType,
    DepPairType,
    FamilyCall,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    SpaceBound,
    SpaceMeta,
    Type,
    TypeBound,
    TypeFamily,
    TypeMeta,
    TypeVar,
    VectorType,
    WideType,
    shift_dependent,
)

#: the family of fragments that is not shown
DEFAULT_FAMILY: Final = "wmma"

#: parts of a type that are shown to people
ROOM: Final = 1000
_LEAST_ROOM: Final = 3  # parts that are as short as what stands for them

_ARROW: Final = 0  # how tightly a text holds together, as in the grammar
_DOTTED: Final = 1


def show_type(t: Type, names: Sequence[str] = ()) -> str:
    """The text of a type under the dependent names in scope, innermost last. Raises RiseError where it is too long.

    >>> from rise.naturals import var
    >>> from rise.types import F32
    >>> show_type(FunType(ArrayType(2 * var("n"), F32), PairType(F32, F32)))
    '(2 * n).f32 -> (f32, f32)'
    """
    if not isinstance(t, Type):
        raise misplaced("a type", t, "`rise.show` shows terms, and `e.type` is the type of one")
    return type_in(t, Names(names, free=free_names(t)))


def brief_type(t: Type, room: int = ROOM) -> str:
    """The text of a type, for people: of a long one so many parts are shown, and `...` stands for what is left out.

    >>> from rise.types import F32
    >>> brief_type(PairType(F32, PairType(F32, PairType(F32, F32))), 5)
    '(f32, (f32, ...))'
    """
    return type_in(t, Names(free=free_names(t)), room)


def type_in(t: Type, names: Names, room: int | None = None) -> str:
    """The text of a type where these names are in scope. With `room` for so many parts only, `...` stands for what is
    left out. Without, RiseError is raised where it would be too long.
    """
    if room is None:
        check_printed(t.weight, "type")
        room = t.weight
    shown: list[str] = []
    work: list[str | Binding | tuple[Type, int, int]] = [(t, _ARROW, room)]
    while work:
        match work.pop():
            case str() as characters:
                shown.append(characters)
            case Binding() as binding:
                names.release(binding, names.dependent)
            case (type_, _, left) if left < _LEAST_ROOM < type_.weight:
                shown.append("...")
            case (FunType() | DepFunType() as arrow, level, left) if level > _ARROW:
                work += [")", (arrow, _ARROW, left), "("]
            case (FunType(parameter, result), _, left):
                of_parameter, of_result = _shares(left, parameter, result)
                work += [(result, _ARROW, of_result), " -> ", (parameter, _DOTTED, of_parameter)]
            case (DepFunType(name, kind, implicit, result), _, left):
                binding = names.bind_dependent(name, kind)
                opening, closing = "{}" if implicit else "()"
                shown.append(f"{opening}{binding.name}: {show_kind(kind)}{closing} -> ")
                work += [binding, (result, _ARROW, left - 1)]
            case (ArrayType() as array, _, left):
                element, left = _add_sizes(array, names, left, shown)
                work.append((element, _DOTTED, left))
            case (DepArrayType(size, family), _, left):
                shown.append(f"{_size(size, names, left, FACTOR)}..")
                work.append((family, _DOTTED, left - size.weight))
            case (TypeFamily(name, body), _, left):
                binding = names.bind_dependent(name or "i", "nat")
                shown.append(f"({binding.name} |-> ")
                work += [")", binding, (body, _ARROW, left - 1)]
            case (DepPairType(TypeFamily(name, body)), _, left):
                binding = names.bind_dependent(name or "n", "nat")
                shown.append(f"({binding.name}: nat ** ")
                work += [")", binding, (body, _ARROW, left - 2)]
            case (DepPairType(family), _, left):
                binding = names.bind_dependent("n", "nat")
                shown.append(f"({binding.name}: nat ** ")
                work += [")", binding, f"({binding.name})", (shift_dependent(family, 1), _DOTTED, left - 1)]
            case (FamilyCall(family, argument), _, left):
                work += [f"({_size(argument, names, left)})", (family, _DOTTED, left - argument.weight)]
            case (VectorType(size, element), _, left):
                work += ["]", (element, _ARROW, left - size.weight), f"vec[{_size(size, names, left)}, "]
            case (WideType(narrow), _, left):
                work += ["]", (narrow, _ARROW, left - 1), "Wide["]
            case (PairType(first, second), _, left):
                of_first, of_second = _shares(left, first, second)
                work += [")", (second, _ARROW, of_second), ", ", (first, _ARROW, of_first), "("]
            case (FragmentType(rows, columns, depth, element, role, family), _, left):
                sizes = ", ".join(_size(size, names, left) for size in (rows, columns, depth))
                rest = f", {role}" if family == DEFAULT_FAMILY else f", {role}, {family}"
                work += [f"{rest}]", (element, _ARROW, left), f"Fragment[{sizes}, "]
            case (IndexType(size), _, left):
                shown.append(f"idx[{_size(size, names, left)}]")
            case (ScalarType(name), _, _) | (TypeVar(name, _), _, _):
                shown.append(name)
            case (TypeBound(index, _), _, _):
                shown.append(name_at(names.dependent, index))
            case (TypeMeta(ident), _, _):
                shown.append(f"?{ident}")
            case (other, _, _):
                raise AssertionError(f"{type(other).__name__} is no known type")
    return "".join(shown)


def _shares(room: int, first: Type, second: Type) -> tuple[int, int]:
    """How much of the room for two types each gets: the lighter one what it needs, up to a half."""
    room -= 1
    if first.weight <= second.weight:
        of_first = min(first.weight, room // 2)
        return of_first, room - of_first
    of_second = min(second.weight, room // 2)
    return room - of_second, of_second


def _size(size: Nat, names: Names, room: int, level: int = SUM) -> str:
    """A size, if there is room for it."""
    if size.weight <= max(room, _LEAST_ROOM):
        return show_nat(size, names.dependent, level)
    return "(...)" if level == FACTOR else "..."


def _add_sizes(t: Type, names: Names, room: int, shown: list[str]) -> tuple[Type, int]:
    """Show the sizes of an array of arrays; the elements that are left, and the room for them."""
    known: dict[int, str] = {}  # by identity: long types have few sizes
    while type(t) is ArrayType and not room < _LEAST_ROOM < t.weight:
        size = t.size
        if room < size.weight:
            shown.append(f"{_size(size, names, room, FACTOR)}.")
        else:
            if (text := known.get(id(size))) is None:
                text = known[id(size)] = f"{show_nat(size, names.dependent, FACTOR)}."
            shown.append(text)
        room -= size.weight
        t = t.element
    return t, room


def show_kind(kind: str) -> str:
    """The text of a kind; a kind of several classes stands in parentheses."""
    return f"({kind})" if "+" in kind else kind


def argument_in(argument: Argument, names: Names, room: int | None = None) -> str:
    """The text of what a dependent function is given, where types are read; with `room` as `type_in`."""
    match argument:
        case Nat():
            return _size(argument, names, argument.weight if room is None else room)
        case Space(name):
            return name
        case SpaceBound(index):
            return name_at(names.dependent, index)
        case SpaceMeta(ident):
            return f"?{ident}"
    if isinstance(argument, SizeFunction):
        return show_size_function(argument, names.dependent)
    return type_in(argument, names, room)


def free_names(node: Node) -> frozenset[str]:
    """The names of a node's free variables."""
    named: list[Any] = [one for one in node.free if isinstance(one, NatVar | TypeVar | SizeFunVar)]
    return frozenset(one.name for one in named)
