"""What the free names of a text mean: definitions before it, free variables, primitives, capitals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rise.inference.schemes import Scheme, scheme_of
from rise.naturals import NatVar
from rise.nodes import Node
from rise.primitives import PRIMITIVES, lookup
from rise.primitives.record import PrimitiveRecord
from rise.scalars import SIZE_FUNCTION, is_type_kind
from rise.size_functions import SizeFunVar
from rise.terms import Expr
from rise.text.names import RESERVED
from rise.types import SpaceMeta, TypeVar

#: the primitives that have another name, by that name
_SPELLED: Final = {
    other: tuple(name for name, one in PRIMITIVES.items() if other in one.spellings)
    for record in PRIMITIVES.values()
    for other in record.spellings
}
#: other names for one primitive each, as papers have them
SPELLINGS: Final[Mapping[str, str]] = {other: one for other, (one, *more) in _SPELLED.items() if not more}
#: names for several primitives, of which the type decides
OVERLOADS: Final[Mapping[str, tuple[str, ...]]] = {
    other: names for other, names in _SPELLED.items() if len(names) > 1
}

#: in a variable's name: what follows tells apart those that an author called the same; no text can say it
UNIQUE: Final = "#"
_UNIQUE_PART: Final = re.compile(f"{UNIQUE}[0-9]+")


def plain(text: str) -> str:
    """A text without what makes names unique.

    >>> plain("n#12.f32")
    'n.f32'
    """
    return _UNIQUE_PART.sub("", text)


@dataclass(slots=True)
class Names:
    """Definitions and free variables by name, and a supply of unique dependent variables.

    `capitals` collects the sizes in capitals that nothing binds: they are bound at their definition's head.
    """

    definitions: Mapping[str, Expr] = field(default_factory=dict)
    free: Mapping[str, Node] = field(default_factory=dict)
    capitals: dict[str, Node] = field(default_factory=dict)
    count: int = 0

    def whole(self, name: str) -> Expr | None:
        """The definition or free variable of this name."""
        found = self.free.get(name)
        return found if isinstance(found, Expr) else self.definitions.get(name)

    def is_size(self, name: str) -> bool:
        """Whether the name is a size here."""
        return name in self.capitals or isinstance(self.free.get(name), NatVar)

    def primitive(self, name: str) -> PrimitiveRecord | None:
        """The primitive of this name, or spelled so in the papers."""
        return lookup(SPELLINGS.get(name, name))

    def known(self, name: str) -> PrimitiveRecord:
        """The primitive of a name that is one."""
        record = lookup(name)
        assert record is not None, name
        return record

    def overloads(self, name: str) -> tuple[str, ...]:
        """The primitives that a name stands for, when there are several."""
        return OVERLOADS.get(name, ())

    def scheme(self, record: PrimitiveRecord) -> Scheme:
        """The type of a primitive."""
        return scheme_of(record.scheme)

    def unique(self, name: str, kind: str) -> Node:
        """A variable of a kind that no text can name."""
        self.count += 1
        if kind == "space":
            return SpaceMeta(-self.count)
        unique = f"{name}{UNIQUE}{self.count}"
        if kind == SIZE_FUNCTION:
            return SizeFunVar(unique)
        return TypeVar(unique, kind) if is_type_kind(kind) else NatVar(unique, None)

    def dependent(self, name: str, kind: str) -> Node | None:
        """What a size or type name means that nothing binds: a free variable, or a capital."""
        found = self.free.get(name)
        if found is not None and not isinstance(found, Expr):
            return found
        if kind == "nat" and name[:1].isupper():
            if name not in self.capitals:
                self.capitals[name] = self.unique(name, kind)
            return self.capitals[name]
        return None

    def visible(self) -> list[str]:
        """All names that a text may use as values."""
        return [*self.free, *self.definitions, *PRIMITIVES, *SPELLINGS, *OVERLOADS]


def is_reserved(name: str) -> bool:
    """Whether no binder may have this name in a text."""
    return name in RESERVED or lookup(name) is not None
