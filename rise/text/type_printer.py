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
from rise.text.nat_printer import FACTOR, show_nat, show_size_function
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

_ARROW: Final = 0  # how tightly a text holds together, as in the grammar
_DOTTED: Final = 1


def show_type(t: Type, names: Sequence[str] = ()) -> str:
    """The text of a type under the dependent names in scope, innermost last.

    >>> from rise.naturals import var
    >>> from rise.types import F32
    >>> show_type(FunType(ArrayType(2 * var("n"), F32), PairType(F32, F32)))
    '(2 * n).f32 -> (f32, f32)'
    """
    if not isinstance(t, Type):
        raise misplaced("a type", t, "`rise.show` shows terms, and `e.type` is the type of one")
    return type_in(t, Names(names, free=free_names(t)))


def type_in(t: Type, names: Names, limit: int | None = None) -> str:
    """The text of a type where these names are in scope; what is left out after `limit` parts shows as `...`."""
    shown: list[str] = []
    work: list[str | Binding | tuple[Type, int]] = [(t, _ARROW)]
    while work:
        if limit is not None and len(shown) >= limit:
            shown.append("...")
            for binding in reversed([part for part in work if isinstance(part, Binding)]):
                names.release(binding, names.dependent)
            break
        match work.pop():
            case str() as characters:
                shown.append(characters)
            case Binding() as binding:
                names.release(binding, names.dependent)
            case (FunType() | DepFunType() as arrow, level) if level > _ARROW:
                work += [")", (arrow, _ARROW), "("]
            case (FunType(parameter, result), _):
                work += [(result, _ARROW), " -> ", (parameter, _DOTTED)]
            case (DepFunType(name, kind, implicit, result), _):
                binding = names.bind_dependent(name, kind)
                opening, closing = "{}" if implicit else "()"
                shown.append(f"{opening}{binding.name}: {show_kind(kind)}{closing} -> ")
                work += [binding, (result, _ARROW)]
            case (ArrayType(size, element), _):
                shown.append(f"{show_nat(size, names.dependent, FACTOR)}.")
                work.append((element, _DOTTED))
            case (DepArrayType(size, family), _):
                shown.append(f"{show_nat(size, names.dependent, FACTOR)}..")
                work.append((family, _DOTTED))
            case (TypeFamily(name, body), _):
                binding = names.bind_dependent(name or "i", "nat")
                shown.append(f"({binding.name} |-> ")
                work += [")", binding, (body, _ARROW)]
            case (DepPairType(TypeFamily(name, body)), _):
                binding = names.bind_dependent(name or "n", "nat")
                shown.append(f"({binding.name}: nat ** ")
                work += [")", binding, (body, _ARROW)]
            case (DepPairType(family), _):
                binding = names.bind_dependent("n", "nat")
                shown.append(f"({binding.name}: nat ** ")
                work += [")", binding, f"({binding.name})", (shift_dependent(family, 1), _DOTTED)]
            case (FamilyCall(family, argument), _):
                work += [f"({show_nat(argument, names.dependent)})", (family, _DOTTED)]
            case (VectorType(size, element), _):
                work += ["]", (element, _ARROW), f"vec[{show_nat(size, names.dependent)}, "]
            case (WideType(narrow), _):
                work += ["]", (narrow, _ARROW), "Wide["]
            case (PairType(first, second), _):
                work += [")", (second, _ARROW), ", ", (first, _ARROW), "("]
            case (FragmentType(rows, columns, depth, element, role, family), _):
                sizes = ", ".join(show_nat(size, names.dependent) for size in (rows, columns, depth))
                rest = f", {role}" if family == DEFAULT_FAMILY else f", {role}, {family}"
                work += [f"{rest}]", (element, _ARROW), f"Fragment[{sizes}, "]
            case (IndexType(size), _):
                shown.append(f"idx[{show_nat(size, names.dependent)}]")
            case (ScalarType(name), _) | (TypeVar(name, _), _):
                shown.append(name)
            case (TypeBound(index, _), _):
                shown.append(name_at(names.dependent, index))
            case (TypeMeta(ident), _):
                shown.append(f"?{ident}")
            case (other, _):
                raise AssertionError(f"{type(other).__name__} is no known type")
    return "".join(shown)


def show_kind(kind: str) -> str:
    """The text of a kind; a kind of several classes stands in parentheses."""
    return f"({kind})" if "+" in kind else kind


def argument_in(argument: Argument, names: Names) -> str:
    """The text of what a dependent function is given, where types are read."""
    match argument:
        case Nat():
            return show_nat(argument, names.dependent)
        case Space(name):
            return name
        case SpaceBound(index):
            return name_at(names.dependent, index)
        case SpaceMeta(ident):
            return f"?{ident}"
    if isinstance(argument, SizeFunction):
        return show_size_function(argument, names.dependent)
    return type_in(argument, names)


def free_names(node: Node) -> frozenset[str]:
    """The names of a node's free variables."""
    named: list[Any] = [one for one in node.free if isinstance(one, NatVar | TypeVar | SizeFunVar)]
    return frozenset(one.name for one in named)
