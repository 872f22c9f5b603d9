"""Describes why a term does not match the left side of an equation. Does not match terms."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from elevate import Mismatch
from rise.inference.schemes import substitute_names
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.printer.terms import show_brief
from rise.terms import Expr, Var
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type
from rise.types import Type, TypeVar
from strategies.equations.matcher import NoMatch

MAX_TERM_CHARACTERS: Final = 160  # characters of a term


def mismatch_at(no: NoMatch, left: Expr, written: str) -> Mismatch:
    """The place that did not match, with what was expected, in the names that authors use, and what was found.

    `left` is the left side, `written` its text.
    """
    if isinstance(no.expected, Nat) and isinstance(no.found, Nat):
        divisor = whole_factor(no.expected)
        if divisor > 1 and no.found.constant is not None:
            reason = f"{divisor} does not divide {shown_term(no.found)}"
            return Mismatch(no.path, "", "", no.matched, reason)
    expected, found = no.named
    if isinstance(expected, str):
        description = expected[:1].lower() + expected[1:]  # the sentence of a docstring
    elif no.expected is left:
        description = written
    else:
        description = shown_term(substitute_names(expected, readable_names(left)), is_typed=False)
    return Mismatch(no.path, description, shown_term(found), no.matched)


def whole_factor(size: Nat) -> int:
    """The number d of a size `d * n`; 1 for a size of another form."""
    match size.terms:
        case ((((_, 1), *_), int() as factor),):
            return factor
    return 1


def readable_names(*sides: Expr) -> dict[Node, Node]:
    """Readable names for the sizes and types of terms; inference numbers those without a name.

    Different sizes get different names, and so do different types.
    """
    free: set[Node] = {one for side in sides for one in side.free}
    sizes = sorted((one for one in free if isinstance(one, NatVar)), key=lambda one: one.name)
    types = sorted((one for one in free if isinstance(one, TypeVar)), key=lambda one: one.name)
    taken = {one.name.lstrip("?") for one in sizes} | {one.name.lstrip("'") for one in types}
    taken |= {one.name for one in free if isinstance(one, Var)}
    names: dict[Node, Node] = {}
    for size in sizes:
        names[size] = nat(NatVar(_free_name(size.name, "?", "nmkpqr", taken), None))
    for t in types:
        names[t] = TypeVar(_free_name(t.name, "'", "tsuvw", taken), t.kind)
    return names


def _free_name(name: str, mark: str, letters: str, taken: set[str]) -> str:
    """The author's name, or the first letter that is not taken for a numbered one."""
    own = name.removeprefix(mark)
    if not own.isdecimal():
        return own
    candidates = (letter + (str(round) if round else "") for round in count() for letter in letters)
    free = next(candidate for candidate in candidates if candidate not in taken)
    taken.add(free)
    return free


def shown_term(found: Any, is_typed: bool = True) -> str:
    """A term, type or size as text; long terms are shortened."""
    match found:
        case Expr():
            return show_brief(found, MAX_TERM_CHARACTERS, is_typed)
        case Type():
            return brief_type(found)
        case Nat():
            return show_nat(found)
    return str(found)
