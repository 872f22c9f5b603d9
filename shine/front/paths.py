"""The order of pairwise contractions of several operands: by opt_einsum if it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

try:
    import opt_einsum
except ImportError:
    opt_einsum = None


def path_of(
    operands: Sequence[str], result: str, shapes: Sequence[tuple[int, ...]], memory_limit: int | None = None
) -> list[tuple[int, int]]:
    """The positions of the two operands to contract next, among the remaining ones; their result is appended. Without
    opt_einsum, from left to right. `memory_limit` is the most numbers that an intermediate result should have.
    """
    count = len(operands)
    if count < 3 or opt_einsum is None:
        return pairs([], count)
    spec = f"{','.join(operands)}->{result}"
    found: Any = opt_einsum.contract_path(spec, *shapes, shapes=True, memory_limit=memory_limit)[0]
    return pairs(found, count)


def pairs(path: Sequence[Sequence[int]], count: int) -> list[tuple[int, int]]:
    """A path whose steps take two operands each, from one whose steps may take any number; then from left to right.

    >>> pairs([(0, 2), (0, 1)], 3)
    [(0, 2), (0, 1)]
    >>> pairs([(0, 1, 2)], 3)
    [(0, 1), (0, 1)]
    >>> pairs([], 3)
    [(0, 1), (1, 0)]
    """
    found: list[tuple[int, int]] = []
    for step in path:
        taken = sorted(step)
        while len(taken) > 1:
            first, second, *rest = taken
            found.append((first, second))
            count -= 1
            taken = [position - 2 for position in rest]
            if rest:
                taken.append(count - 1)
    is_first = not found
    while count > 1:
        found.append((0, 1) if is_first else (count - 1, 0))
        is_first = False
        count -= 1
    return found
