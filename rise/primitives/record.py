"""What a primitive is: one record. Knows no particular primitive, and not how one is translated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rise.naturals import Nat
from rise.primitives.traits import Trait
from rise.scalars import SCALARS

Level: TypeAlias = Literal["high", "low", "view"]
Meaning: TypeAlias = Callable[..., Any]
#: what an operation does to rounding; empty where it does no arithmetic of its own
Floats: TypeAlias = Literal["", "exact", "reassociating", "approximate"]
#: what runs the turns of a loop at the same time: threads of a processor, or a level of a GPU
RunsOn: TypeAlias = Literal["", "processor", "global", "block", "threads", "warp", "lane"]


@dataclass(frozen=True, slots=True)
class Half:
    """The first (0) or second (1) of a pair, as a step towards a number inside a value."""

    which: int


#: from a value towards a number inside: into an element by its index, a lane of a vector among these, or into a half
Way: TypeAlias = "tuple[Nat | Half, ...]"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an operand of a view is written so that the view is in its place.

    What is `depth` steps inside of the operand is where `way` says in the view, from the sizes by name and these steps;
    `below` says under which condition it is there: the first is below the second. Different steps lead to different
    numbers.
    """

    depth: int
    way: Callable[..., Way]
    below: Callable[..., tuple[Nat, Nat]] | None = None


@dataclass(frozen=True, slots=True)
class PrimitiveRecord:
    """A primitive: its type, its law, its meaning.

    - `scheme`: its type as text. Implicit parameters stand in braces, `{n: nat}`, explicit dependent ones in
      parentheses, `(n: nat)`.
    - `level`: `high` says what is computed and must be lowered; `low` computes; a `view` moves no data.
    - `law`: an equation that explains it, in the text language.
    - `words`: a law that no equation states for all types, in words.
    - `example`: a program of it without inputs; the pages and `shine list` show it with its value.
    - `meaning`: on numpy. It receives `at`, the implicit and explicit parameters by name, then the arguments; see
      Note [Batches] in `rise.values` for how arrays lie.
    - `lowers_to`: for a high-level one, the names of the primitives that implement it.
    - `units`: how many units in the last place the value of a function of numbers may be off the exact one; with 0
      it is rounded once.
    - `same_width`: whether the types among its implicit parameters must have as many bits.
    - `float_class`: `exact` is rounded once, `reassociating` adds in no order, `approximate` is within `units`.
    - `traits`: what it has in common with others, of which strategies and targets ask; see `TRAITS`.
    - `runs_on`: what runs the turns of its loop at the same time; empty where one thread does.
    - `neutral`: of an associative, commutative function of two numbers: the number that changes no other, -1 for one
      with all bits; see `neutral_at`.
    - `promise`: what a program says by it beside its value, and a program without it does not say.
    - `operator`: the sign that it is written with, between two operands or before one.
    - `spellings`: other names that texts may use; of a name that several have, types decide which is meant.
    - `cost`: of a function of numbers: about how many additions of such numbers take as long.
    - `if_zero`: what to do instead where its last size is 0 and must not be.
    - `defaults`: what an implicit parameter is when inference leaves it open (`{"family": ...}`).
    - `places`: for a view through which a place can be filled, where each of its operands is written.
    - `ranges`: of the naturals that a function among the arguments is given, by name: the parameter each is below.
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
    ranges: Mapping[str, str] = field(default_factory=dict)
    same_width: bool = False
    words: str = ""
    example: str = ""
    float_class: Floats = ""
    traits: tuple[Trait, ...] = ()
    runs_on: RunsOn = ""
    neutral: int | None = None
    promise: str = ""
    operator: str = ""
    spellings: tuple[str, ...] = ()
    if_zero: str = ""
    cost: int = 1
    places: tuple[Place, ...] = ()


def neutral_at(record: PrimitiveRecord, t: str) -> int | None:
    """The neutral number of a function as a number of a scalar type; None where the function has none.

    >>> from rise.primitives import PRIMITIVES
    >>> neutral_at(PRIMITIVES["bitAnd"], "u8"), neutral_at(PRIMITIVES["bitAnd"], "i8")
    (255, -1)
    """
    is_unsigned = SCALARS[t].dtype.kind == "u"
    return (
        record.neutral % (1 << SCALARS[t].bits)
        if record.neutral is not None and is_unsigned
        else record.neutral
    )


def collect(*families: tuple[PrimitiveRecord, ...]) -> dict[str, PrimitiveRecord]:
    """All records by name; two of one name are an error."""
    found: dict[str, PrimitiveRecord] = {}
    for record in (r for family in families for r in family):
        assert record.name not in found, f"two primitives are called {record.name}"
        found[record.name] = record
    return found
