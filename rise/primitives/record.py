"""Defines the record of a primitive. Independent of any particular primitive and of the translation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from rise.naturals import Nat
from rise.primitives.traits import Trait
from rise.records import dataclass
from rise.scalars import SCALARS

Level: TypeAlias = Literal["high", "low", "view"]
Meaning: TypeAlias = Callable[..., Any]
#: how an operation rounds; empty if it does not compute numbers itself
Floats: TypeAlias = Literal["", "exact", "reassociating", "approximate"]
#: how the types among the implicit parameters are related
Relation: TypeAlias = Literal["", "same width", "parts", "conversion"]
#: the units that run the iterations of a loop in parallel: threads of a processor, or a level of a GPU
RunsOn: TypeAlias = Literal["", "processor", "global", "block", "threads", "warp", "lane"]


@dataclass(frozen=True, slots=True)
class Half:
    """The first (0) or second (1) element of a pair, as a step of a path to a number inside a value."""

    which: int


#: a path from a value to a number inside it: the index of an element or of a vector's lane, or a half of a pair
Way: TypeAlias = "tuple[Nat | Half, ...]"


@dataclass(frozen=True, slots=True)
class Place:
    """Where to write an operand of a view so that the view's result is in place.

    The number at a path of `depth` steps inside the operand is at `way(sizes by name, *steps)` in the view, if the
    first size of `below` is less than the second. Different steps lead to different numbers.
    """

    depth: int
    way: Callable[..., Way]
    below: Callable[..., tuple[Nat, Nat]] | None = None


@dataclass(frozen=True, slots=True)
class PrimitiveRecord:
    """A primitive: its type, its laws, its meaning on numpy arrays.

    - `scheme`: its type as text. Implicit parameters are in braces, `{n: nat}`, explicit dependent ones in
      parentheses, `(n: nat)`.
    - `level`: `high` specifies a computation, and must be lowered; `low` computes; a `view` moves no data.
    - `law`: an equation that explains it, in the text language.
    - `words`: a law in words, if no equation states it for all types.
    - `example`: a program without inputs that uses it; the pages and `shine list` show it with its value.
    - `meaning`: its meaning on numpy arrays. It receives `at`, the implicit and explicit parameters by name, then the
      arguments; see Note [Batches] in `rise.values` for the layout of arrays.
    - `lowers_to`: for a high-level primitive, the names of the primitives that implement it.
    - `units`: for a function of numbers, its maximal error in units in the last place; 0 if it is rounded once.
    - `relation`: how the types among its implicit parameters are related: `same width` have the same number of bits,
      `parts` are a type of complex numbers and the type of their parts, `conversion` keeps complex numbers complex.
    - `float_class`: `exact` is rounded once, `reassociating` adds in any order, `approximate` is within `units`.
    - `traits`: properties shared with other primitives, which strategies and targets query; see `TRAITS`.
    - `runs_on`: the units that run the iterations of its loop in parallel; empty if one thread does.
    - `neutral`: the neutral element of an associative, commutative function of two numbers, -1 for one with all bits
      set; see `neutral_at`.
    - `promise`: what a program promises by using it, besides its value.
    - `operator`: its operator in texts, between two operands or before one.
    - `spellings`: other names in texts; if several primitives share one, types determine which is meant.
    - `cost`: for a function of numbers, its time in additions of such numbers, approximately.
    - `result`: for a function of numbers, the name of its result in printed code: `sum`; for a comparison, what it says
      about its first operand: `is_less`, and `result_at_zero`, if the second is 0: `is_negative`.
    - `if_zero`: the hint if its last size is 0 and must not be.
    - `places`: for a view that can be written through, where each of its operands is written.
    - `ranges`: for the naturals passed to a function among the arguments, by name, the parameter that bounds each.
    """

    name: str
    scheme: str
    level: Level
    doc: str
    meaning: Meaning
    law: str = ""
    lowers_to: tuple[str, ...] = ()
    units: int = 0
    ranges: Mapping[str, str] = field(default_factory=dict)
    relation: Relation = ""
    words: str = ""
    example: str = ""
    float_class: Floats = ""
    traits: tuple[Trait, ...] = ()
    runs_on: RunsOn = ""
    neutral: int | None = None
    promise: str = ""
    operator: str = ""
    spellings: tuple[str, ...] = ()
    result: str = ""
    result_at_zero: str = ""
    if_zero: str = ""
    cost: int = 1
    places: tuple[Place, ...] = ()


def neutral_at(record: PrimitiveRecord, t: str) -> int | None:
    """The neutral element of a function as a number of a scalar type; None if the function has none.

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
    """All records by name. Two records with the same name are an error."""
    records: dict[str, PrimitiveRecord] = {}
    for record in (record for family in families for record in family):
        assert record.name not in records, f"two primitives are called {record.name}"
        records[record.name] = record
    return records
