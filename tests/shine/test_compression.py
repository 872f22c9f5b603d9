"""Elements for which a condition holds, in arrays of stated lengths, on every target."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from rise.values import leaves
from tests.examples import some
from tests.shine.executors import agree_lowered, compiled


def chosen(xs: Any, mask: Any, length: int, value: Any) -> Any:
    """The elements of xs where the mask holds, truncated or padded to a length."""
    found = np.empty((length, *xs.shape[1:]), xs.dtype)
    found[:] = value
    kept = xs[mask][:length]
    found[: len(kept)] = kept
    return found


#: programs of a: N.4.f32, b: N.bool, c: N.i32, and their results by numpy
PROGRAMS: Final[dict[str, Any]] = {
    "compress(3, b, 7, c)": lambda a, b, c: chosen(c, b, 3, 7),
    "compress(N, c |> map(fun(x => x > 0)), [1.0, 2.0, 3.0, 4.0], a)": lambda a, b, c: chosen(
        a, c > 0, len(a), [1, 2, 3, 4]
    ),
    "a |> transpose |> map(compress(2, b, 0.5)) |> transpose": lambda a, b, c: chosen(a, b, 2, 0.5),
    "a |> map(fun(row => compress(5, row |> map(fun(x => x < 0.0)), 0.0, row)))": lambda a, b, c: np.stack(
        [np.zeros((0, 5)), *(chosen(row, row < 0, 5, 0)[None] for row in a)][1:]
    ).reshape(len(a), 5),
    "compress(N+2, a |> map(reduce(add, 0.0)) |> map(fun(x => x > 0.0)), 9, c) |> map(fun(x => x + 1))": (
        lambda a, b, c: chosen(c, a.sum(axis=1) > 0, len(c) + 2, 9) + 1
    ),
    "compress(4, b, 0, compress(N, c |> map(fun(x => x < 2)), 5, c)) |> reduce(add, 0)": lambda a, b, c: (
        np.sum(chosen(chosen(c, c < 2, len(c), 5), b, 4, 0))
    ),
}


@pytest.mark.parametrize("target", some(["interpret", "openmp", "cuda-sim"], 2))
def test_every_target_selects_the_right_elements(target: str) -> None:
    """Numbers, rows, columns, computed elements, and computations with the result, in one kernel."""
    *first, last = list(PROGRAMS)[:3] if target == "cuda-sim" else list(PROGRAMS)
    body = "".join(f"pair({one}, " for one in first) + last + ")" * len(first)
    kernel = compiled(f"fun({{N: nat}}, a: N.4.f32, b: N.bool, c: N.i32 => {body})", target, lower=True)
    random = np.random.default_rng(3)
    for n, share in ((6, 0.0), (7, 0.5), (9, 1.0)):
        a, c = random.integers(-4, 5, (n, 4)).astype(np.float32), random.integers(-9, 9, n, np.int32)
        b = random.random(n) < share
        for found, one in zip(leaves(kernel(a, b, c)), [*first, last], strict=True):
            np.testing.assert_array_equal(found, PROGRAMS[one](a, b, c))


def test_an_empty_array_has_no_selected_elements() -> None:
    kernel = compiled("fun(b: N.bool, c: N.i32 => compress(2, b, 7, c))", "openmp", lower=True)
    assert kernel(np.zeros(0, bool), np.zeros(0, np.int32)).tolist() == [7, 7]


@pytest.mark.parametrize("target", some(["interpret", "openmp"], 2))
def test_a_filter_rejects_more_elements_than_its_bound(target: str) -> None:
    """The message has the number and the bound, whichever part of the result is used."""
    for part in ("fun(p => p)", "fun(p => snd(p))"):
        text = f"import statistics: filter\nfun(xs: N.i32 => xs |> filter(3, fun(x => x > 0), -1) |> {part})"
        kernel = compiled(text, target, lower=True)
        for run in (kernel, lambda xs, text=text: rise.evaluate(rise.parse(text).main, xs)):
            for xs in ([5, -2, 0, 7], [1, 2, 3], []):
                kept = [x for x in xs if x > 0]
                found = run(np.array(xs, np.int32))
                count, elements = found if isinstance(found, tuple) else (len(kept), found)
                assert count == len(kept) and elements.tolist() == [*kept, *[-1] * (3 - len(kept))]
            with pytest.raises(rise.RiseError, match="expected at most 3 elements, found 4"):
                run(np.array([1, 2, -1, 3, 4], np.int32))


def test_there_may_be_no_windows() -> None:
    agree_lowered(
        "import stencils\nfun(xs: (N+2).i32 => xs |> windows1D(3) |> map(reduce(add, 0)))",
        np.ones(2, np.int32),
    )


def test_no_branch_depends_on_an_element() -> None:
    """If all elements fit, there is no branch; otherwise one that checks for space."""
    all_fit, some = (
        shine.compile(
            rise.parse(f"fun({{N: nat}}, b: N.bool, c: N.i32 => compress({m}, b, 7, c))").main, "openmp"
        )
        for m in ("N", "4")
    )
    assert "if (" not in all_fit.source and some.source.count("if (") == 1


def test_masks_are_computed_in_parallel_first() -> None:
    lower = strategies.load(shine.TARGETS["openmp"].strategy)
    text = (
        "fun(a: M.N.f32, c: M.i32 => compress(3, a |> map(reduce(add, 0.0)) |> map(fun(x => x > 0.0)), 0, c))"
    )
    shown = rise.show(lower(rise.parse(text).main).program)
    assert "mapPar" in shown and "toMem" in shown and "compressSeq" in shown
