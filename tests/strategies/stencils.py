"""Programs over windows of every form, with results by numpy. Independent of strategies.

All use small integers, so that every sum is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

import rise

Array = NDArray[Any]
#: the sum of each window
NINE: Final = "map(map(fun(w => join(w) |> reduce(add, 0.0))))"
#: the sums of nine neighbours
WINDOWS: Final = f"map(slide(3, 1)) |> slide(3, 1) |> map(transpose) |> {NINE}"


@dataclass(frozen=True, slots=True, eq=False)
class Stencil:
    """A program, the number of directions of its windows, and its result by numpy."""

    text: str
    directions: int
    answer: Callable[..., Any]
    shared: int = 1  # the number of arrays whose tiles are stored
    batch: bool = False

    @property
    def program(self) -> rise.Expr:
        """The program, with symbolic sizes."""
        return parsed(self.text)


@cache
def parsed(text: str) -> rise.Expr:
    main: rise.Expr = rise.parse(text).main
    return main


def along(xs: Array, size: int, step: int = 1, axis: int = -1) -> Array:
    """The windows along an axis; their elements are the last axis."""
    windows = sliding_window_view(xs, size, axis=axis)
    return windows[::step] if axis == 0 or xs.ndim == 1 else windows


def nine(grid: Array) -> Array:
    """The sum of each window of 3 x 3 of the last two axes."""
    return np.asarray(sliding_window_view(grid, (3, 3), axis=(-2, -1)).sum((-2, -1)))


def pooled(grid: Array) -> Array:
    """The maximum of each block of 2 x 2."""
    rows, columns = grid.shape
    return np.asarray(grid.reshape(rows // 2, 2, columns // 2, 2).max((1, 3)))


def padded(grid: Array, mode: Any) -> Array:
    """The array with a border of one element in the last two axes."""
    width = [(0, 0)] * (grid.ndim - 2) + [(1, 1), (1, 1)]
    return np.pad(grid, width, mode=mode)


def totals(xs: Array) -> Array:
    """The sums of three neighbours."""
    return np.asarray(along(xs, 3).sum(-1))


STENCILS: Final[Mapping[str, Stencil]] = {
    "border of zeros": Stencil(
        f"""val m = fun(g: M.N.f32 => g |> map(padCst(1, 1, 0.0))
        |> padCst(1, 1, generate(fun(i => 0.0))) |> {WINDOWS})""",
        2,
        lambda g: nine(padded(g, "constant")),
    ),
    "batch": Stencil(
        f"val m = fun(gs: B.M.N.f32 => gs |> map(map(padClamp(1, 1)) >> padClamp(1, 1) >> (fun(g => g |> {WINDOWS}))))",
        2,
        lambda gs: nine(padded(gs, "edge")),
        batch=True,
    ),
    "batches": Stencil(
        f"val m = fun(gs: B.L.(M+2).(N+2).f32 => gs |> map(map(fun(g => g |> {WINDOWS}))))",
        2,
        nine,
        batch=True,
    ),
    "rows of windows first": Stencil(
        f"val m = fun(g: (M+2).(N+2).f32 => g |> slide(3, 1) |> map(map(slide(3, 1))) |> map(transpose) |> {NINE})",
        2,
        nine,
    ),
    "vertical": Stencil(
        """val m = fun(g: (M+2).N.f32 => g |> slide(3, 1) |> map(fun(rows =>
        transpose(rows) |> map(fun(w => reduce(add, 0.0, w))))))""",
        2,
        lambda g: totals(g.T).T,
    ),
    "horizontal": Stencil(
        "val m = fun(g: M.(N+2).f32 => g |> map(fun(row => slide(3, 1, row) |> map(fun(w => reduce(add, 0.0, w))))))",
        2,
        totals,
    ),
    "with another grid": Stencil(
        """val m = fun(t: (M+2).(N+2).f32, p: M.N.f32 =>
        zip(t |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose), p) |> map(fun(ws, ps =>
        zip(ws, ps) |> map(fun(w, q => reduce(add, 0.0, join(w)) * q)))))""",
        2,
        lambda t, p: nine(t) * p,
    ),
    "pool": Stencil(
        """val m = fun(g: (2*M+2).(2*N+2).f32 => g |> map(slide(2, 2)) |> slide(2, 2) |> map(transpose)
        |> map(map(fun(w => join(w) |> reduce(max, -100.0)))))""",
        2,
        pooled,
    ),
    "of squares": Stencil(
        f"val m = fun(g: (M+2).(N+2).f32 => g |> map(map(fun(x => x * x))) |> {WINDOWS})",
        2,
        lambda g: nine(g * g),
    ),
    "of a transposed grid": Stencil(
        f"val m = fun(g: (M+2).(N+2).f32 => transpose(g) |> {WINDOWS})", 2, lambda g: nine(g.T)
    ),
    "three directions": Stencil(
        """val m = fun(g: (L+2).(M+2).(N+2).f32 => g |> map(map(slide(3, 1))) |> map(slide(3, 1))
        |> map(map(transpose)) |> slide(3, 1) |> map(transpose >> map(transpose))
        |> map(map(map(fun(w => join(join(w)) |> reduce(add, 0.0))))))""",
        2,
        lambda g: sliding_window_view(g, (3, 3, 3)).sum((-1, -2, -3)),
        batch=True,
    ),
    "channels": Stencil(
        """val m = fun(g: (M+2).(N+2).3.f32 => g |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose)
        |> map(map(fun(w => join(w) |> transpose |> map(reduce(add, 0.0))))))""",
        2,
        lambda g: sliding_window_view(g, (3, 3), axis=(0, 1)).sum((-2, -1)),
    ),
    "many weights": Stencil(
        """val m = fun(fs: M.3.f32, g: (N+2).f32 => g |> slide(3, 1) |> map(fun(w =>
        fs |> map(fun(f => zip(f, w) |> map(mul) |> reduce(add, 0.0))))))""",
        2,
        lambda fs, g: along(g, 3) @ fs.T,
    ),
    "windows of two sizes": Stencil(
        """val m = fun(g: (N+5).f32 => zip(slide(3, 1, g) |> drop(1) |> take(N+1), slide(5, 1, g)) |> map(fun(a, b =>
        reduce(add, 0.0, a) * reduce(add, 0.0, b))))""",
        1,
        lambda g: totals(g)[1:-1] * along(g, 5).sum(-1),
        shared=2,
    ),
    "every second": Stencil(
        "val m = fun(g: (2*N+3).f32 => g |> slide(3, 2) |> map(fun(w => w |> reduce(max, -100.0))))",
        1,
        lambda g: along(g, 3, 2).max(-1),
    ),
    "zeros at the ends": Stencil(
        "val m = fun(g: N.f32 => g |> padCst(1, 1, 0.0) |> slide(3, 1) |> map(fun(w => w |> reduce(add, 0.0))))",
        1,
        lambda g: totals(np.pad(g, 1)),
    ),
    "pairs": Stencil(
        """val m = fun(g: (N+2).f32 => slide(3, 1, g) |> map(fun(w =>
        pair(reduce(add, 0.0, w), reduce(max, -100.0, w)))))""",
        1,
        lambda g: (totals(g), along(g, 3).max(-1)),
    ),
    "pair of stencils": Stencil(
        """val m = fun(g: (N+2).f32 => pair(g |> slide(3, 1) |> map(reduce(add, 0.0)),
        g |> slide(3, 1) |> map(reduce(max, -100.0))))""",
        1,
        lambda g: (totals(g), along(g, 3).max(-1)),
        shared=2,
    ),
    "one after the other": Stencil(
        "val m = fun(g: (N+4).f32 => slide(3, 1, g) |> map(reduce(add, 0.0)) |> slide(3, 1) |> map(reduce(add, 0.0)))",
        1,
        lambda g: totals(totals(g)),
    ),
    "one after the other, of grids": Stencil(
        f"val m = fun(g: (M+4).(N+4).f32 => g |> {WINDOWS} |> {WINDOWS})", 2, lambda g: nine(nine(g))
    ),
    "windows shown": Stencil(
        "val m = fun(g: (N+2).f32 => g |> slide(3, 1) |> map(map(fun(x => x + 1.0))))",
        1,
        lambda g: along(g, 3) + 1,
    ),
    "windows of halves": Stencil(
        "val m = fun(g: (N+2).f16 => g |> map(fun(x => cast{f32}(x))) |> slide(3, 1) |> map(reduce(add, 0.0)))",
        1,
        lambda g: totals(g.astype(np.float32)),
    ),
    "halves": Stencil(
        "val m = fun(g: (N+2).f16 => g |> slide(3, 1) |> map(map(fun(x => cast{f32}(x))) >> reduce(add, 0.0)))",
        1,
        lambda g: totals(g.astype(np.float32)),
    ),
}
