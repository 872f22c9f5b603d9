"""Chooses the printed names of binders, so that none captures another. Independent of terms.

Dependent and ordinary names share a name space in a text. A binder keeps its author's name unless that is missing,
reserved, free in the text, or the name of an enclosing binder; then digits are added. Names depend only on the printed
term, so the same term gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rise.argument_checks import misplaced
from rise.quotients import FUNCTIONS
from rise.records import dataclass
from rise.scalars import IMPLIES, SCALARS, SPACES, SYNONYMS

KEYWORDS: Final = frozenset(("val", "fun", "if", "then", "else"))
#: literals written as words
LITERALS: Final = frozenset(("true", "false", "inf", "nan"))
#: the words of questions about types
QUESTIONS: Final = frozenset(("typeHole", "printType"))
#: names with a fixed meaning, except primitives
RESERVED: Final = frozenset(
    (*KEYWORDS, *LITERALS, *QUESTIONS, *SCALARS, *SYNONYMS, *IMPLIES, *SPACES, *FUNCTIONS, "nat", "space")
) | {"Array", "vec", "idx", "Fragment", "Wide"}

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']*", re.ASCII)


def is_name(text: str) -> bool:
    """Whether a text can be a name: ASCII letters, digits, `_` and `'`, starting with a letter or `_`."""
    return _NAME.fullmatch(text) is not None


def meaning_of(name: str) -> str:
    """The meaning of a reserved name, in words."""
    meanings = (
        (KEYWORDS, "a keyword"),
        (LITERALS, "a literal"),
        (QUESTIONS, "a question about a type"),
        (SCALARS, "a type of numbers"),
        (SYNONYMS, f"another name for the type {SYNONYMS.get(name)}"),
        (IMPLIES, "a class of types"),
        (SPACES, "a memory space"),
        (FUNCTIONS, "a function of sizes"),
        (("nat", "space"), "a kind of arguments"),
        (("Array", "vec", "idx", "Fragment", "Wide"), "a type"),
    )
    return next((meaning for names, meaning in meanings if name in names), "a primitive")


@dataclass(frozen=True, slots=True)
class Binding:
    """A chosen name, and the state to restore when its scope ends."""

    name: str
    stem: str
    next: int | None
    scope: int


class Names:
    """The names in scope while printing.

    `dependent` and `ordinary` are the enclosing binders, innermost last; indices count from their ends.
    """

    __slots__ = (
        "_free",
        "_is_reserved",
        "_next",
        "_scopes",
        "_taken",
        "dependent",
        "ordinary",
        "scope",
        "texts",
    )

    def __init__(
        self,
        dependent: Sequence[str] = (),
        ordinary: Sequence[str] = (),
        free: Iterable[str] = (),
        is_reserved: Callable[[str], bool] = RESERVED.__contains__,
    ) -> None:
        self.dependent: list[str] = list(dependent)
        self.ordinary: list[str] = list(ordinary)
        #: a number for the dependent names in scope, which identifies them
        self.scope = 0
        self._scopes = 0
        #: the node and the text printed for it, by the scope, the identity of the node, and the form; keeps the node
        #: alive
        self.texts: dict[tuple[int, int, int], tuple[object, str]] = {}
        self._free = frozenset(free)
        self._is_reserved = is_reserved
        self._taken: set[str] = {*self.dependent, *self.ordinary}
        self._next: dict[str, int] = {}

    def bind(self, name: str, otherwise: str) -> Binding:
        """Choose a name for a binder whose author's name is `name`. It is in scope until it is released."""
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
        """Choose a name for a function's parameter."""
        binding = self.bind(name, "x")
        self.ordinary.append(binding.name)
        return binding

    def bind_dependent(self, name: str, kind: str) -> Binding:
        """Choose a name for a natural, a type or a space."""
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
    """The name of the `index`-th binder outwards; `%i`, which cannot be read, if the index points outside."""
    return names[-1 - index] if index < len(names) else f"%{index - len(names)}"


def bounded(text: str, limit: int = 400) -> str:
    """The text, cut to a limit.

    >>> bounded("abcdefghij", 6)
    'abc...'
    """
    if not isinstance(text, str):
        raise misplaced("a text", text, "`rise.show(e)` is the text of a term")
    return text if len(text) <= limit else text[: limit - 3] + "..."
