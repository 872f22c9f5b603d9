"""Random programs over two sizes, with their results in exact integers: the first few elements of views of the numbers
0, 1, and so on. Runs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from hypothesis import strategies as st

#: sizes, and numbers of elements, near integer limits
NEAR: Final = st.builds(
    lambda end, by: end + by, st.sampled_from([2**31, 2**32, 2**62, 2**63, 2**64]), st.integers(-3, 3)
)
SMALL: Final = st.integers(0, 12)
SIZES: Final = st.one_of(SMALL, NEAR, st.sampled_from([2**15, 2**16, 2**30, 2**33, 2**48]))

Number: TypeAlias = Callable[[int, int], int]


@dataclass(frozen=True)
class Size:
    """A size in a program, and its value given K and M."""

    text: str
    value: Number


@dataclass(frozen=True)
class Numbers:
    """An array of exact integers."""

    length: int
    at: Callable[[int], int]


def wrapped(number: int) -> int:
    """A sum in i64: an index is exact, but adding to it wraps."""
    return (number + 2**63) % 2**64 - 2**63


class NoProgram(Exception):
    """The program is undefined at these sizes."""


class Unspecified(Exception):
    """The result of the program is unspecified at these sizes."""


@dataclass(frozen=True)
class View:
    """A step of a program, and its effect on an array. `stores`: whether all elements are computed."""

    text: str
    of: Callable[[Numbers, int, int], Numbers]
    stores: bool = False


@dataclass(frozen=True)
class SizeProgram:
    """The numbers below a size, forwards or from the end, through views; `taken` elements are the result."""

    size: Size
    from_end: bool
    views: tuple[View, ...]
    taken: int

    @property
    def text(self) -> str:
        """The program, with a parameter `x` that is added to each number."""
        index = "fromEnd(i)" if self.from_end else "i"
        first = f"generate(fun(i: idx[{self.size.text}] => indexAsInt({index}) + x))"
        steps = " |> ".join([first, *(view.text for view in self.views), f"take({self.taken})", "mapSeq(id)"])
        return f"fun({{K: nat}}, {{M: nat}}, x: i64 => {steps})"

    def arrays(self, k: int, m: int, x: int) -> list[tuple[Numbers, bool]]:
        """All intermediate arrays, and whether each is stored. Raises NoProgram and Unspecified."""
        length = self.size.value(k, m)
        last = length - 1
        array = Numbers(length, lambda i: wrapped((last - i if self.from_end else i) + x))
        found = [(array, False)]
        for view in self.views:
            array = view.of(array, k, m)
            found.append((array, view.stores))
        if array.length < self.taken:
            raise NoProgram
        return [*found, (replace(array, length=self.taken), True)]


def _sizes() -> st.SearchStrategy[Size]:
    leaves = st.one_of(
        st.sampled_from([Size("K", lambda k, m: k), Size("M", lambda k, m: m)]),
        st.integers(1, 4).map(lambda n: Size(str(n), lambda k, m: n)),
    )

    def larger(inner: st.SearchStrategy[Size]) -> st.SearchStrategy[Size]:
        return st.one_of(
            st.builds(
                lambda a, b: Size(f"({a.text} + {b.text})", lambda k, m: a.value(k, m) + b.value(k, m)),
                inner,
                inner,
            ),
            st.builds(
                lambda a, b: Size(f"({a.text} * {b.text})", lambda k, m: a.value(k, m) * b.value(k, m)),
                inner,
                inner,
            ),
        )

    return st.recursive(leaves, larger, max_leaves=3)


def drop(size: Size) -> View:
    """All but the first elements."""

    def of(xs: Numbers, k: int, m: int) -> Numbers:
        first = size.value(k, m)
        if first > xs.length:
            raise NoProgram
        return Numbers(xs.length - first, lambda i: xs.at(first + i))

    return View(f"drop({size.text})", of)


def _every(step: Size) -> View:
    def of(xs: Numbers, k: int, m: int) -> Numbers:
        by = step.value(k, m)
        if by == 0 and xs.length == 1:  # refused, unless the sizes cancel: 0 / (K + K) is 0
            raise Unspecified
        if by == 0 or xs.length == 0 or (xs.length - 1) % by:
            raise NoProgram
        return Numbers((xs.length - 1) // by + 1, lambda i: xs.at(by * i))

    return View(f"slide(1, {step.text}) |> join", of)


def columns(width: Size) -> View:
    """Rows of some width, read column by column."""

    def of(xs: Numbers, k: int, m: int) -> Numbers:
        wide = width.value(k, m)
        if wide == 0 and xs.length == 0:  # refused, unless the sizes cancel: K + K elements are 2 rows of K
            raise Unspecified
        if wide == 0 or xs.length % wide:
            raise NoProgram
        rows = xs.length // wide
        return Numbers(xs.length, lambda i: xs.at(i % rows * wide + i // rows))

    return View(f"split({width.text}) |> transpose |> join", of)


def _padded(left: Size, right: Size) -> View:
    def of(xs: Numbers, k: int, m: int) -> Numbers:
        before, behind = left.value(k, m), right.value(k, m)
        inside = Numbers(before + xs.length + behind, lambda i: xs.at(min(max(i - before, 0), xs.length - 1)))
        if xs.length == 0 and before + behind:
            raise Unspecified
        return inside

    return View(f"padClamp({left.text}, {right.text})", of)


def _constants(left: Size, right: Size) -> View:
    def of(xs: Numbers, k: int, m: int) -> Numbers:
        before, behind = left.value(k, m), right.value(k, m)
        return Numbers(
            before + xs.length + behind, lambda i: xs.at(i - before) if 0 <= i - before < xs.length else -7
        )

    return View(f"padCst({left.text}, {right.text}, -7i64)", of)


STORED: Final = View("mapSeq(id) |> toMem(Local)", lambda xs, k, m: xs, stores=True)


def size_programs() -> st.SearchStrategy[SizeProgram]:
    """Programs over the sizes K and M."""
    size = _sizes()
    view = st.one_of(
        size.map(drop),
        size.map(_every),
        size.map(columns),
        st.builds(_padded, size, size),
        st.builds(_constants, size, size),
        st.just(STORED),
    )
    views = st.lists(view, max_size=3).map(tuple)
    return st.builds(SizeProgram, size, st.booleans(), views, st.sampled_from([1, 3, 0]))
