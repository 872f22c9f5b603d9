"""Prints types, kinds and dependent arguments. Independent of terms.

Law: reading the text with the same names in scope gives the same type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rise.argument_checks import misplaced
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

#: the scope of fragments that is omitted when printing
DEFAULT_SCOPE: Final = "warp"

#: the number of parts of a type that messages show
DEFAULT_ROOM: Final = 1000
_MIN_ROOM: Final = 3  # of types that are as short as `...`
_SHORT_WEIGHT: Final = 16  # the weight up to which types that occur in others are printed again

_ARROW: Final = 0  # precedences, as in the grammar
_DOTTED: Final = 1


def show_type(t: Type, names: Sequence[str] = ()) -> str:
    """The text of a type under the dependent names in scope, innermost last. Raises RiseError if it is too long.

    >>> from rise.naturals import var
    >>> from rise.types import F32
    >>> show_type(FunType(ArrayType(2 * var("n"), F32), PairType(F32, F32)))
    '(2 * n).f32 -> (f32, f32)'
    """
    if not isinstance(t, Type):
        raise misplaced("a type", t, "`rise.show` shows terms, and `e.type` is the type of one")
    return type_in(t, Names(names, free=free_names(t)))


def brief_type(t: Type, room: int = DEFAULT_ROOM) -> str:
    """The text of a type for messages: at most `room` parts are shown, and `...` marks omitted ones.

    >>> from rise.types import F32
    >>> brief_type(PairType(F32, PairType(F32, PairType(F32, F32))), 5)
    '(f32, (f32, ...))'
    """
    return type_in(t, Names(free=free_names(t)), room)


def type_in(t: Type, names: Names, room: int | None = None) -> str:
    """The text of a type with these names in scope. With `room`, at most this number of parts are shown, and `...`
    marks omitted ones. Without `room`, raises RiseError for a text that would be too long.
    """
    is_exact = room is None
    if room is None:
        check_printed(t.weight, "type")
        room = t.weight
    pieces: list[str] = []
    stack: list[str | Binding | tuple[Type, int, int]] = [(t, _ARROW, room)]
    while stack:
        part = stack.pop()
        if is_exact and type(part) is tuple and part[0].weight > _SHORT_WEIGHT:
            printed = names.texts.get((names.scope, id(part[0]), part[1]))
            if printed is not None:
                pieces.append(printed[1])
                continue
        match part:
            case str() as characters:
                pieces.append(characters)
            case Binding() as binding:
                names.release(binding, names.dependent)
            case (type_, _, room_left) if room_left < _MIN_ROOM < type_.weight:
                pieces.append("...")
            case (ArrayType() as array, _, room_left):
                element, room_left = _add_sizes(array, names, room_left, pieces)
                stack.append((element, _DOTTED, room_left))
            case (PairType(first, second), _, room_left):
                of_first, of_second = _shares(room_left, first, second)
                stack += [")", (second, _ARROW, of_second), ", ", (first, _ARROW, of_first), "("]
            case (ScalarType(name), _, _) | (TypeVar(name, _), _, _):
                pieces.append(name)
            case (TypeBound(index, _), _, _):
                pieces.append(name_at(names.dependent, index))
            case (FunType() | DepFunType() as arrow, level, room_left) if level > _ARROW:
                stack += [")", (arrow, _ARROW, room_left), "("]
            case (FunType(parameter, result), _, room_left):
                of_parameter, of_result = _shares(room_left, parameter, result)
                stack += [(result, _ARROW, of_result), " -> ", (parameter, _DOTTED, of_parameter)]
            case (DepFunType(name, kind, implicit, result), _, room_left):
                binding = names.bind_dependent(name, kind)
                opening, closing = "{}" if implicit else "()"
                pieces.append(f"{opening}{binding.name}: {show_kind(kind)}{closing} -> ")
                stack += [binding, (result, _ARROW, room_left - 1)]
            case (DepArrayType(size, family), _, room_left):
                pieces.append(f"{_size(size, names, room_left, FACTOR)}..")
                stack.append((family, _DOTTED, room_left - size.weight))
            case (TypeFamily(name, body), _, room_left):
                binding = names.bind_dependent(name or "i", "nat")
                pieces.append(f"({binding.name} |-> ")
                stack += [")", binding, (body, _ARROW, room_left - 1)]
            case (DepPairType(TypeFamily(name, body)), _, room_left):
                binding = names.bind_dependent(name or "n", "nat")
                pieces.append(f"({binding.name}: nat ** ")
                stack += [")", binding, (body, _ARROW, room_left - 2)]
            case (DepPairType(family), _, room_left):
                binding = names.bind_dependent("n", "nat")
                pieces.append(f"({binding.name}: nat ** ")
                stack += [
                    ")",
                    binding,
                    f"({binding.name})",
                    (shift_dependent(family, 1), _DOTTED, room_left - 1),
                ]
            case (FamilyCall(family, argument), _, room_left):
                stack += [
                    f"({_size(argument, names, room_left)})",
                    (family, _DOTTED, room_left - argument.weight),
                ]
            case (VectorType(size, element), _, room_left):
                stack += [
                    "]",
                    (element, _ARROW, room_left - size.weight),
                    f"vec[{_size(size, names, room_left)}, ",
                ]
            case (WideType(narrow), _, room_left):
                stack += ["]", (narrow, _ARROW, room_left - 1), "Wide["]
            case (FragmentType(rows, columns, depth, element, role, scope), _, room_left):
                sizes = ", ".join(_size(size, names, room_left) for size in (rows, columns, depth))
                rest = f", {role}" if scope == DEFAULT_SCOPE else f", {role}, {scope}"
                stack += [f"{rest}]", (element, _ARROW, room_left), f"Fragment[{sizes}, "]
            case (IndexType(size), _, room_left):
                pieces.append(f"idx[{_size(size, names, room_left)}]")
            case (TypeMeta(ident), _, _):
                pieces.append(f"?{ident}")
            case (other, _, _):
                raise AssertionError(f"{type(other).__name__} is not a known type")
    text = "".join(pieces)
    if is_exact and t.weight > _SHORT_WEIGHT:
        names.texts[names.scope, id(t), _ARROW] = t, text
    return text


def _shares(room: int, first: Type, second: Type) -> tuple[int, int]:
    """Divide the room for two types: the smaller one gets what it needs, up to a half."""
    room -= 1
    if first.weight + second.weight <= room:
        return room, room
    if first.weight <= second.weight:
        of_first = min(first.weight, room // 2)
        return of_first, room - of_first
    of_second = min(second.weight, room // 2)
    return room - of_second, of_second


def _size(size: Nat, names: Names, room: int, level: int = SUM) -> str:
    """A size, if there is room for it."""
    if size.weight <= max(room, _MIN_ROOM):
        return _shown(size, names, level)
    return "(...)" if level == FACTOR else "..."


def _shown(size: Nat, names: Names, level: int) -> str:
    """The text of a size, cached for each scope: a long term has few different sizes."""
    key = (names.scope, id(size), level)
    if (printed := names.texts.get(key)) is None:
        printed = names.texts[key] = size, show_nat(size, names.dependent, level)
    return printed[1]


def _add_sizes(t: Type, names: Names, room: int, shown: list[str]) -> tuple[Type, int]:
    """Print the sizes of an array of arrays; returns the innermost element type, and the room left for it."""
    texts: dict[int, str] = {}  # by identity: long types have few different sizes
    while type(t) is ArrayType and not room < _MIN_ROOM < t.weight:
        size = t.size
        if room < size.weight:
            shown.append(f"{_size(size, names, room, FACTOR)}.")
        else:
            if (text := texts.get(id(size))) is None:
                text = texts[id(size)] = f"{_shown(size, names, FACTOR)}."
            shown.append(text)
        room -= size.weight
        t = t.element
    return t, room


def show_kind(kind: str) -> str:
    """The text of a kind, in parentheses if it consists of several classes."""
    return f"({kind})" if "+" in kind else kind


def argument_in(argument: Argument, names: Names, room: int | None = None) -> str:
    """The text of a dependent argument, as it is read in types; for `room` see `type_in`."""
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
    named: list[Any] = [
        variable for variable in node.free if isinstance(variable, NatVar | TypeVar | SizeFunVar)
    ]
    return frozenset(variable.name for variable in named)
