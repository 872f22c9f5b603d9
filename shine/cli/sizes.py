"""Chooses sizes for a run: defaults for those not given, smaller ones for a check. Independent of arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.terms import Expr
from shine.front.size_conditions import makes_sense
from shine.imperative.nodes import Procedure

#: sizes to try, in this order, where none is given
DEFAULTS: Final = (64, 128, 256, 512, 1024, 4096, 60, 120, 720, 16, 8, 4, 2, 1, 3, 5, 7, 9, 12, 100, 0)
MIN_SHRUNK_SIZE: Final = 4  # sizes are shrunk no further than to this


def complete(procedure: Procedure, high: Expr, known: Mapping[str, int]) -> dict[str, int]:
    """All sizes of a call: the known ones, and for the others the first default that satisfies all conditions.

    Raises RiseError if none does.
    """
    missing = [size.name for size in procedure.sizes if size.name not in known]
    if not missing:
        return dict(known)
    for default in DEFAULTS:
        sizes = {**known, **dict.fromkeys(missing, default)}
        if makes_sense(procedure.checks, high, sizes):
            return sizes
    example = " ".join(f"{name}=..." for name in missing)
    title = f"no default fits the size{'s' * (len(missing) > 1)} {', '.join(missing)}"
    raise RiseError(Diagnostic("size-unknown", title, hint=f"specify sizes: --size {example}"))


def smaller(sizes: Mapping[str, int], free: Sequence[str]) -> Iterator[dict[str, int]]:
    """The sizes, then smaller and smaller ones: the greatest of the free sizes is halved each time."""
    current = dict(sizes)
    while True:
        yield dict(current)
        greatest_size = max(free, key=lambda name: current[name], default=None)
        if greatest_size is None or current[greatest_size] <= MIN_SHRUNK_SIZE:
            return
        current[greatest_size] = max(current[greatest_size] // 2, MIN_SHRUNK_SIZE)


def shrink(
    sizes: Mapping[str, int],
    free: Sequence[str],
    fits: Callable[[Mapping[str, int]], bool],
    work: Callable[[Mapping[str, int]], int],
    max_work: int,
) -> dict[str, int]:
    """The first of the sizes and smaller ones that fit and take at most `max_work` operations."""
    for candidate in smaller(sizes, free):
        if work(candidate) <= max_work and fits(candidate):
            return candidate
    title = f"expected sizes at which a check takes at most {max_work} operations, found none"
    hint = "omit --verify, or use smaller sizes: --size"
    raise RiseError(Diagnostic("size-unknown", title, hint=hint))
