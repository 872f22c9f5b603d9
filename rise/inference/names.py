"""The meanings of the free names of a text: earlier definitions, free variables, primitives, capitals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from rise.inference.schemes import Scheme, scheme_of
from rise.naturals import NatVar
from rise.nodes import Node
from rise.primitives import PRIMITIVES, lookup
from rise.primitives.record import PrimitiveRecord
from rise.records import dataclass
from rise.scalars import SIZE_FUNCTION, is_type_kind
from rise.size_functions import SizeFunVar
from rise.terms import Expr
from rise.text.names import RESERVED
from rise.types import SpaceMeta, TypeVar

#: the primitives by their alternative names
_SPELLED: Final = {
    spelling: tuple(name for name, record in PRIMITIVES.items() if spelling in record.spellings)
    for primitive in PRIMITIVES.values()
    for spelling in primitive.spellings
}
#: alternative names of a single primitive, used in papers
SPELLINGS: Final[Mapping[str, str]] = {
    spelling: names[0] for spelling, names in _SPELLED.items() if len(names) == 1
}
#: alternative names of several primitives, one of which is chosen by the type
OVERLOADS: Final[Mapping[str, tuple[str, ...]]] = {
    spelling: names for spelling, names in _SPELLED.items() if len(names) > 1
}

#: separates a variable's name from a number that makes it unique; no text can contain such a name
UNIQUE: Final = "#"
_UNIQUE_PART: Final = re.compile(f"{UNIQUE}[0-9]+")


def without_numbers(text: str) -> str:
    """A text without the numbers that make names unique.

    >>> without_numbers("n#12.f32")
    'n.f32'
    """
    return _UNIQUE_PART.sub("", text)


@dataclass(slots=True)
class Names:
    """Definitions and free variables by name, and a supply of unique dependent variables.

    `capitals` collects unbound sizes in capitals, which are bound at the definition's head.
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
        """Whether the name is that of a free size."""
        return name in self.capitals or isinstance(self.free.get(name), NatVar)

    def primitive(self, name: str) -> PrimitiveRecord | None:
        """The primitive with this name or alternative spelling."""
        return lookup(SPELLINGS.get(name, name))

    def known(self, name: str) -> PrimitiveRecord:
        """The primitive with this name, which must exist."""
        record = lookup(name)
        assert record is not None, name
        return record

    def overloads(self, name: str) -> tuple[str, ...]:
        """The primitives of an overloaded name."""
        return OVERLOADS.get(name, ())

    def scheme(self, record: PrimitiveRecord) -> Scheme:
        """The type of a primitive."""
        return scheme_of(record.scheme)

    def unique(self, name: str, kind: str) -> Node:
        """A new variable of a kind, whose name no text can contain."""
        self.count += 1
        if kind == "space":
            return SpaceMeta(-self.count)
        unique = f"{name}{UNIQUE}{self.count}"
        if kind == SIZE_FUNCTION:
            return SizeFunVar(unique)
        return TypeVar(unique, kind) if is_type_kind(kind) else NatVar(unique, None)

    def dependent(self, name: str, kind: str) -> Node | None:
        """The meaning of an unbound size or type name: a free variable, or a capital."""
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
    """Whether texts must not bind this name."""
    return name in RESERVED or lookup(name) is not None
