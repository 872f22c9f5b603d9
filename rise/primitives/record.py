"""What a primitive is: one record. Knows no particular primitive, and not how one is translated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Level: TypeAlias = Literal["high", "low", "view"]
Meaning: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class PrimitiveRecord:
    """A primitive: its type, its law, its meaning.

    - `scheme`: its type as text. Implicit parameters stand in braces, `{n: nat}`, explicit dependent ones in
      parentheses, `(n: nat)`.
    - `level`: `high` says what is computed and must be lowered; `low` computes; a `view` moves no data.
    - `law`: an equation that explains it, in the text language.
    - `meaning`: on numpy. It receives `at`, the implicit and explicit parameters by name, then the arguments; see
      `rise.evaluation` for how arrays lie.
    - `lowers_to`: for a high-level one, the names of the primitives that implement it.
    - `units`: how many units in the last place the value of a function of numbers may be off the exact one; with 0
      it is rounded once.
    - `defaults`: what an implicit parameter is when inference leaves it open (`{"family": ...}`).
    """

    name: str
    scheme: str
    level: Level
    doc: str
    meaning: Meaning
    law: str = ""
    lowers_to: tuple[str, ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)
    units: int = 0


def collect(*families: tuple[PrimitiveRecord, ...]) -> dict[str, PrimitiveRecord]:
    """All records by name; two of one name are an error."""
    found: dict[str, PrimitiveRecord] = {}
    for record in (r for family in families for r in family):
        assert record.name not in found, f"two primitives are called {record.name}"
        found[record.name] = record
    return found
