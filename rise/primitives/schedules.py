"""Primitives that allow a target to change loops, or forbid it; each returns its argument. Independent of targets and
passes.
"""

from __future__ import annotations

from typing import Final

from rise.primitives.record import PrimitiveRecord


def _schedule(name: str, doc: str) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        "{t: data} -> t -> t",
        "low",
        f"{doc} The value does not change; targets without such a pass ignore it.",
        lambda at, x: x,
        f"{name} x = x",
        example=f"{name}([1, 2])",
    )


SCHEDULES: Final = (
    _schedule(
        "peelBorders",
        "A value whose loops may be peeled: the first and the last iterations, which access the border of a padded "
        "array, run in loops of their own.",
    ),
    _schedule(
        "unrollAndJam",
        "A value whose loops may be unrolled and jammed: 32 iterations of a loop around a sum share the sum's loop, "
        "so that they run in vectors.",
    ),
    _schedule(
        "unjoinLoops",
        "A value whose loops over joined arrays may become nested loops, over rows and over the elements of each row.",
    ),
    _schedule(
        "prefetchRows",
        "A value whose loops over rows may be cut into blocks, with memory of the next row prefetched before each.",
    ),
    _schedule(
        "omitCopyPrefetches",
        "A value whose loops prefetch no rows of panels that they copy.",
    ),
    _schedule(
        "omitResultPrefetches",
        "A value whose loops prefetch no memory of results before the tiles that are stored there.",
    ),
    _schedule(
        "omitRowPrefetches",
        "A value whose loops prefetch no rows that the next tile reads.",
    ),
)
