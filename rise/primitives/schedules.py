"""Primitives that allow a target to change loops: each is its argument. Knows no target and no pass."""

from __future__ import annotations

from typing import Final

from rise.primitives.record import PrimitiveRecord


def _schedule(name: str, doc: str) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        "{t: data} -> t -> t",
        "low",
        f"{doc} The value is the same; targets that have no such pass leave the loops alone.",
        lambda at, x: x,
        f"{name} x = x",
        example=f"{name}([1, 2])",
    )


SCHEDULES: Final = (
    _schedule(
        "peelBorders",
        "A value whose loops may be peeled: the first and the last iterations, which meet the border of a padded "
        "array, run apart from those between them.",
    ),
    _schedule(
        "unrollAndJam",
        "A value whose loops may be unrolled and jammed: 32 iterations of a loop around a sum share the loop of the "
        "sum, so that they run in vectors.",
    ),
    _schedule(
        "unjoinLoops",
        "A value whose loops over joined arrays may become loops over rows around loops over the elements of each row.",
    ),
    _schedule(
        "prefetchRows",
        "A value whose loops over rows may be cut into blocks, before each of which memory of the next row is fetched.",
    ),
)
