"""All orders of the synchronising operations in a small launch: atomic operations, and accesses of volatile memory.

Other accesses need not be reordered: if no order shows a race, each of them has the same effect wherever a thread does
it between two synchronising operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from shine.simulator import Deferral, Program, Report, build

#: the maximum number of launches of one exploration
MOST_RUNS: Final = 6000
SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Small:
    """A launch of few threads of a kernel: its grid, its block and its arguments."""

    grid: int
    block: int
    arguments: Sequence[Any]

    def run(self, program: Program, kernel: str, deferrals: Sequence[Deferral]) -> tuple[Report, bytes]:
        """The report, and the contents of all arrays after it."""
        passed = [one.copy() if isinstance(one, np.ndarray) else one for one in self.arguments]
        report = program.launch(kernel, self.grid, self.block, passed, seconds=SECONDS, deferrals=deferrals)
        return report, b"".join(one.tobytes() for one in passed if isinstance(one, np.ndarray))


@dataclass(frozen=True, slots=True)
class Explored:
    """The results of the orders of a launch: `outcomes`, and `findings` of the first order that has some, which ends
    the exploration. `orders` is the number of orders that were tried: all with fewer than `deferrals` deferrals, or all
    if it is None.
    """

    orders: int
    outcomes: frozenset[bytes]
    findings: tuple[str, ...]
    deferrals: int | None


def explore(run: Callable[[Sequence[Deferral]], tuple[Report, bytes]], leaves_blocks: bool) -> Explored:
    """Try all orders, those with few deferrals first, in at most MOST_RUNS launches.

    If a deferral is not possible, neither it nor those after it lead to another order.
    """
    frontier: list[tuple[Deferral, ...]] = [()]
    runs, orders, depth = 0, 0, 0
    outcomes: set[bytes] = set()
    while frontier:
        following: list[tuple[Deferral, ...]] = []
        for asked in frontier:
            if runs == MOST_RUNS:
                return Explored(orders, frozenset(outcomes), (), depth)
            report, outcome = run(asked)
            runs += 1
            if report.findings or not report.finished:
                kinds = tuple(sorted({one.kind for one in report.findings}))
                return Explored(orders, frozenset(outcomes), kinds, depth)
            if report.deferred < len(asked):
                continue
            orders += 1
            outcomes.add(outcome)
            first = asked[-1].operation + 1 if asked else 0
            for operation in range(first, report.synchronising):
                following += [
                    (*asked, Deferral(operation, leaves)) for leaves in (False, True)[: 1 + leaves_blocks]
                ]
        frontier, depth = following, depth + 1
    return Explored(orders, frozenset(outcomes), (), None)


@cache
def explored(kernel: str, text: str, folder: Path) -> Explored:
    """All orders of the small launch of a kernel."""
    program, small = build(text, check=True, cache=folder), SMALL[kernel]
    return explore(lambda deferrals: small.run(program, kernel, deferrals), small.grid > 1)


def _of(*numbers: int) -> tuple[np.int32, ...]:
    return tuple(np.int32(number) for number in numbers)


def _zeros(count: int, kind: type = np.int32) -> Any:
    return np.zeros(count, kind)


_FEW: Final = np.array([5, -3, 7, 2, 11, -6, 13, 4], np.int32)
_LOOK_BACK: Final = [_FEW[:4], _zeros(4), _zeros(2), _zeros(2), _zeros(2), *_of(4)]
#: small launches of kernels whose threads do not depend on the size of their block, or that use it
SMALL: Final[Mapping[str, Small]] = {
    "last_block": Small(2, 2, [_FEW[:4], _zeros(2), _zeros(1), *_of(4)]),
    "lock_of_a_block": Small(1, 2, [_FEW[:2], _zeros(1), _zeros(1), *_of(2)]),
    "handed_over": Small(1, 2, [_FEW[:2], _zeros(1), _zeros(1), *_of(2)]),
    "flags": Small(2, 2, _LOOK_BACK),
    "warps": Small(2, 32, [np.resize(_FEW, 64), _zeros(64), _zeros(2), _zeros(2), _zeros(2), *_of(64)]),
    "words": Small(2, 2, [_FEW[:4], _zeros(4), _zeros(2, np.uint64), *_of(4)]),
    "split_rows": Small(2, 64, [_FEW[:6], _zeros(3), _zeros(2), _zeros(2), *_of(2, 3)]),
    "shared_queue": Small(1, 2, [_FEW[:2], _zeros(2), *_of(2)]),
}
