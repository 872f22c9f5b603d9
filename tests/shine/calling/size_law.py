"""The law for programs at sizes near integer limits: the result of exact integers, or one diagnostic.

Independent of targets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

import rise
from tests.shine.calling.size_programs import SIZES, NoProgram, SizeProgram, Unspecified

X: Final = 5
MAX_STORED: Final = 1 << 10  # the maximum number of stored elements; below it nothing is rejected
#: more elements than any machine stores: sizes in between are not tried for stored arrays
NEVER_STORED: Final = 1 << 50
PAIRS: Final = st.lists(st.tuples(SIZES, SIZES), min_size=4, max_size=8)


class LawBroken(AssertionError):
    """A result differs from that of exact integers, or a program was rejected at small sizes."""


def expected(program: SizeProgram, k: int, m: int) -> list[int] | None:
    """The result of a program; None if it has none."""
    try:
        *_, (result, _) = program.arrays(k, m, X)
    except NoProgram:
        return None
    return [result.at(i) for i in range(result.length)]


def lengths(program: SizeProgram, k: int, m: int, stored: bool) -> list[int]:
    """The lengths of intermediate arrays, or of those that are stored."""
    try:
        return [array.length for array, stores in program.arrays(k, m, X) if stores or not stored]
    except NoProgram:
        return []


def check(
    program: SizeProgram, pairs: list[tuple[int, int]], run: Callable[..., Any], evaluated: bool
) -> Counter[str]:
    """Run a program at all these sizes. Counts the calls with a result, and the rejected ones. Raises LawBroken."""
    found: Counter[str] = Counter()
    for k, m in pairs:
        found[_check(program, k, m, run, evaluated)] += 1
    return found


def _check(program: SizeProgram, k: int, m: int, run: Callable[..., Any], evaluated: bool) -> str:
    try:
        program.arrays(k, m, X)
    except Unspecified:
        return "not tried: the result is not specified"
    except NoProgram:
        pass
    if any(MAX_STORED < one < NEVER_STORED for one in lengths(program, k, m, stored=not evaluated)):
        return "not tried: the arrays are large"
    wanted = expected(program, k, m)
    small = max([k, m, *lengths(program, k, m, stored=False)]) <= MAX_STORED
    try:
        found = run(np.int64(X), sizes={"K": k, "M": m})
    except rise.RiseError as error:
        refused = str(error)
    else:
        if wanted is None or found.tolist() != wanted:
            raise LawBroken(f"{program.text} at K={k}, M={m}: expected {wanted}, found {found}")
        return "computed"
    if wanted is not None and small:
        raise LawBroken(f"{program.text} at K={k}, M={m}: expected {wanted}, it is refused:\n{refused}")
    return "refused"


def term(program: SizeProgram) -> rise.Expr | None:
    """The term; None if numbers in the program itself are too large."""
    try:
        return rise.parse(program.text).main
    except rise.RiseError:
        return None
