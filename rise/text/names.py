"""Names for binders: which one to print, so that none captures another. Knows no term.

Dependent and ordinary names share one name space in a text. A binder keeps its author's name unless that is
missing, reserved, free in the text, or the name of a binder around it; then digits tell it apart. Names
depend on what is printed only, so the same term gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rise.expected import misplaced
from rise.quotients import FUNCTIONS
from rise.scalars import IMPLIES, SCALARS, SPACES, SYNONYMS

KEYWORDS: Final = frozenset(("val", "fun", "if", "then", "else"))
#: names of literals
LITERALS: Final = frozenset(("true", "false", "inf", "nan"))
#: what asks about types
QUESTIONS: Final = frozenset(("typeHole", "printType"))
#: what a text means by itself; primitives come on top
RESERVED: Final = frozenset(
    (*KEYWORDS, *LITERALS, *QUESTIONS, *SCALARS, *SYNONYMS, *IMPLIES, *SPACES, *FUNCTIONS, "nat", "space")
) | {"Array", "vec", "idx", "Fragment", "Wide"}

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']*", re.ASCII)


def is_name(text: str) -> bool:
    """Whether a text can be a name: of ASCII letters, digits, `_` and `'`."""
    return _NAME.fullmatch(text) is not None


def meaning_of(name: str) -> str:
    """What a reserved name means."""
    meanings = (
        (KEYWORDS, "a word of its grammar"),
        (LITERALS, "a literal"),
        (QUESTIONS, "a question about a type"),
        (SCALARS, "a type of numbers"),
        (SYNONYMS, f"another name of the type {SYNONYMS.get(name)}"),
        (IMPLIES, "a class of types"),
        (SPACES, "a space of memory"),
        (FUNCTIONS, "a function of sizes"),
        (("nat", "space"), "a kind of arguments"),
        (("Array", "vec", "idx", "Fragment", "Wide"), "a type"),
    )
    return next((meaning for names, meaning in meanings if name in names), "a primitive")


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that was given, and what to restore when its scope ends."""

    name: str
    stem: str
    next: int | None
    scope: int


class Names:
    """The names in scope where something is printed, and the next one to give.

    `dependent` and `ordinary` are the binders around, innermost last; indices count from their ends.
    """

    __slots__ = ("_free", "_is_reserved", "_next", "_scopes", "_taken", "dependent", "ordinary", "scope")

    def __init__(
        self,
        dependent: Sequence[str] = (),
        ordinary: Sequence[str] = (),
        free: Iterable[str] = (),
        is_reserved: Callable[[str], bool] = RESERVED.__contains__,
    ) -> None:
        self.dependent: list[str] = list(dependent)
        self.ordinary: list[str] = list(ordinary)
        #: which dependent names are in scope, as a number: equal numbers, equal names
        self.scope = 0
        self._scopes = 0
        self._free = frozenset(free)
        self._is_reserved = is_reserved
        self._taken: set[str] = {*self.dependent, *self.ordinary}
        self._next: dict[str, int] = {}

    def bind(self, name: str, otherwise: str) -> Binding:
        """A name for a binder that its author called `name`, in scope until it is released."""
        stem, number, chosen = name, 0, name
        if not _NAME.fullmatch(name):
            stem = chosen = otherwise
        if not self._is_new(chosen):
            stem = stem.rstrip("0123456789") or otherwise
            if self._is_reserved(f"{stem}1"):  # a family of primitives
                stem = otherwise
            number = self._next.get(stem, 1)
            while not self._is_new(f"{stem}{number}"):
                number += 1
            chosen = f"{stem}{number}"
        binding = Binding(chosen, stem, self._next.get(stem), self.scope)
        if number:
            self._next[stem] = number + 1
        self._taken.add(chosen)
        return binding

    def bind_ordinary(self, name: str) -> Binding:
        """A name for a function's parameter."""
        binding = self.bind(name, "x")
        self.ordinary.append(binding.name)
        return binding

    def bind_dependent(self, name: str, kind: str) -> Binding:
        """A name for a natural, a type or a space."""
        binding = self.bind(name, {"nat": "n", "space": "a", "nat -> nat": "f"}.get(kind, "t"))
        self.dependent.append(binding.name)
        self._scopes += 1
        self.scope = self._scopes
        return binding

    def release(self, binding: Binding, of: list[str]) -> None:
        """Leave the scope of the innermost binder in a list, `dependent` or `ordinary`."""
        assert of[-1] == binding.name, (of[-1], binding.name)
        of.pop()
        self.scope = binding.scope
        self._taken.discard(binding.name)
        if binding.next is None:
            self._next.pop(binding.stem, None)
        else:
            self._next[binding.stem] = binding.next

    def _is_new(self, name: str) -> bool:
        return name not in self._taken and name not in self._free and not self._is_reserved(name)


def name_at(names: Sequence[str], index: int) -> str:
    """The name of the binder that many outwards; `%i`, which is no text, where the index points outside."""
    return names[-1 - index] if index < len(names) else f"%{index - len(names)}"


def bounded(text: str, limit: int = 400) -> str:
    """The text, cut to a limit.

    >>> bounded("abcdefghij", 6)
    'abc...'
    """
    if not isinstance(text, str):
        raise misplaced("a text", text, "`rise.show(e)` is the text of a term")
    return text if len(text) <= limit else text[: limit - 3] + "..."
