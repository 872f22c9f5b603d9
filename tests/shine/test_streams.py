"""Streams in kernels: windows in ring buffers and in registers, on every target; strategies that create them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import elevate
import rise
import shine
import strategies
from shine.translate import translate
from tests.examples import examples
from tests.examples import some as some_of
from tests.shine.executors import agree, in_turn
from tests.shine.translate.interpretation import program, shown

TARGETS = ("interpret", "openmp", "cuda-sim")
F = np.float32
SUM = "reduceSeq(add, 0.0)"
XS = np.arange(12, dtype=F)
ROWS = np.random.default_rng(0).integers(-8, 8, (7, 5)).astype(F)
NINE_POINTS = f"""fun(rows => rows |> transpose |> rotateValues(3, mapSeq(fun(x => x * 0.5)))
  |> iterateStream(fun(w => w |> join |> {SUM})))"""

PROGRAMS: dict[str, tuple[str, Any]] = {
    "a ring": (
        f"fun(xs: (N+3).f32 => xs |> circularBuffer(3, 3, fun(x => x * 2.0)) |> iterateStream({SUM}))",
        XS,
    ),
    "a larger ring": (
        "fun(xs: (N+3).f32 => xs |> circularBuffer(4, 3, fun(x => x * 2.0)) |> iterateStream(mapSeq(id)))",
        XS,
    ),
    "registers": (
        f"fun(xs: (N+3).f32 => xs |> rotateValues(3, fun(x => x * 2.0)) |> iterateStream({SUM}))",
        XS,
    ),
    "windows of one": ("fun(xs: (N+1).f32 => xs |> rotateValues(1, id) |> iterateStream(mapSeq(id)))", XS),
    "rows": (
        "fun(xs: (N+3).5.f32 => xs |> circularBuffer(3, 3, mapSeq(fun(x => x * 2.0)))"
        f" |> iterateStream(fun(w => w |> transpose |> mapSeq({SUM}))))",
        ROWS,
    ),
    "rows in a ring, columns in registers": (
        f"fun(xs: (N+3).5.f32 => xs |> circularBuffer(4, 3, mapSeq(id)) |> iterateStream({NINE_POINTS}))",
        ROWS,
    ),
    "pairs": (
        "fun(xs: (N+2).(f32, f32) => xs |> rotateValues(2, fun(p => pair(snd(p), fst(p))))"
        " |> iterateStream(mapSeq(fun(p => fst(p) - 2.0 * snd(p)))))",
        (XS, XS[::-1].copy()),
    ),
    "columns of rows of columns": (
        "fun(xs: (N+2).5.f32 => xs |> lineBuffer(2, fun(x => x + 1.0))"
        " |> iterateStream(fun(row => row |> lineBuffer(2, fun(x => x * 2.0))"
        " |> iterateStream(fun(columns => columns |> iterateStream(mapSeq(id)))))))",
        ROWS,
    ),
    "one stage behind the other": (
        f"fun(xs: (N+4).f32 => xs |> rotateValues(3, id) |> mapStream({SUM}) |> circularBuffer(2, 2, fun(x => x * x))"
        f" |> iterateStream({SUM}))",
        XS,
    ),
    "two side by side": (
        "fun(xs: (N+3).f32 => zip(xs |> rotateValues(3, id), xs |> circularBuffer(3, 3, id))"
        f" |> iterateStream(fun(p => {SUM}(fst(p)) * {SUM}(snd(p)))))",
        XS,
    ),
    "a name on the way": (
        f"fun(xs: (N+3).f32 => (fun(ys => ys |> iterateStream({SUM})))(xs |> rotateValues(3, id)))",
        XS,
    ),
    "no windows": (
        "fun(xs: N.f32 => xs |> mapStream(fun(x => x + 1.0)) |> iterateStream(fun(x => x * 2.0)))",
        XS,
    ),
    "read at an index": (
        "fun(xs: N.f32 => xs |> mapStream(fun(x => x + 1.0)) |> mapSeq(fun(x => x * 2.0)))",
        XS,
    ),
    "lines": (
        "fun(rows: (N+3).5.f32 => rows |> lineBuffer(3, fun(x => x * 2.0))"
        f" |> iterateStream(fun(row => row |> iterateStream({SUM}))))",
        ROWS,
    ),
    "lines of one": (
        "fun(rows: (N+1).5.f32 => rows |> lineBuffer(1, sqrt)"
        f" |> iterateStream(fun(row => row |> iterateStream({SUM}))))",
        np.abs(ROWS),
    ),
    "lines of what comes line by line, columns in registers": (
        f"fun(rows: (N+4).5.f32 => rows |> lineBuffer(2, id) |> mapStream(fun(row => row |> mapStream({SUM})"
        f" |> rotateValues(2, id) |> mapStream({SUM}))) |> lineBuffer(3, fun(x => x * x))"
        f" |> iterateStream(fun(row => row |> iterateStream({SUM}))))",
        ROWS,
    ),
    "lines, the last of which are not written": (
        f"fun(rows: (N+4).5.f32 => rows |> lineBuffer(3, id) |> iterateStream(fun(row => row |> iterateStream({SUM})))"
        " |> take(N))",
        ROWS,
    ),
    "of every thread": (
        f"fun(xs: K.(N+3).f32 => xs |> mapPar(fun(row => row |> rotateValues(3, id) |> iterateStream({SUM}))))",
        ROWS,
    ),
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(PROGRAMS), 2))
def test_streams_agree_with_their_meaning(name: str, target: str) -> None:
    text, argument = PROGRAMS[name]
    agree(text, argument, targets=("openmp" if "mapPar" in text and target == "cuda-sim" else target,))


def test_each_thread_of_a_gpu_has_its_own_window() -> None:
    for windows in ("rotateValues(3, id)", "circularBuffer(4, 3, id)"):
        text = f"fun(xs: K.(N+3).f32 => xs |> mapGlobal(0)(fun(row => row |> {windows} |> iterateStream({SUM}))))"
        agree(text, ROWS, targets=("interpret", "cuda-sim"))


@given(some.integers(1, 4), some.integers(0, 2), some.integers(0, 5), some.booleans())
@settings(max_examples=examples(25), deadline=None)
def test_windows_of_any_size(size: int, more: int, n: int, rotated: bool) -> None:
    windows = f"rotateValues({size}, id)" if rotated else f"circularBuffer({size + more}, {size}, id)"
    text = f"fun(xs: (N+{size}).f32 => xs |> {windows} |> iterateStream(mapSeq(id)))"
    agree(text, np.arange(n + size, dtype=F), targets=("interpret",))


@pytest.mark.parametrize(
    "windows", some_of(["rotateValues(K, id)", "circularBuffer(K, K, id)", "circularBuffer(K + 1, K, id)"], 3)
)
def test_windows_whose_size_a_call_determines_may_be_empty(windows: str) -> None:
    """Windows without elements once wrote before their memory."""
    e = program(f"fun({{K: nat}}, {{N: nat}}, xs: (N+K).f32 => xs |> {windows} |> iterateStream({SUM}))")
    for target in ("interpret", "openmp"):
        kernel = shine.compile(e, target)
        for k in (0, 1, 2, 5):
            for n in (0, 3):
                xs, sizes = np.arange(n + k, dtype=F), {"K": k, "N": n}
                np.testing.assert_array_equal(kernel(xs, sizes=sizes), rise.evaluate(e, xs, sizes=sizes))


@pytest.mark.parametrize(
    "before", some_of(["", "mapStream(fun(row => row |> mapStream(fun(x => x * 2.0)))) |> "], 2)
)
def test_the_number_of_lines_that_a_call_determines_may_be_zero(before: str) -> None:
    """A single line needs no ring, and without lines nothing is computed; a division by zero once ended the process."""
    text = f"rows |> {before}lineBuffer(K, id) |> iterateStream(fun(row => row |> iterateStream({SUM})))"
    e = program(f"fun({{K: nat}}, {{N: nat}}, rows: (N+K).5.f32 => {text})")
    for target in ("interpret", "openmp"):
        kernel = shine.compile(e, target)
        for k in (0, 1, 2, 4):
            for n in (0, 3):
                rows, sizes = np.arange((n + k) * 5, dtype=F).reshape(-1, 5), {"K": k, "N": n}
                np.testing.assert_array_equal(kernel(rows, sizes=sizes), rise.evaluate(e, rows, sizes=sizes))


def test_each_element_is_computed_once() -> None:
    text = f"fun(xs: (N+3).f32 => xs |> circularBuffer(4, 3, sqrt) |> iterateStream({SUM}))"
    lines = shown(text)
    assert lines[1:5] == [
        "for i_first < 2 (seq)",
        "window[i_first] := sqrt(xs[i_first])",
        "for i < N + 1 (seq)",
        "window[(i + 2) % 4] := sqrt(xs[i + 2])",
    ]


STRATEGIES = [("circularBuffers", {}), ("circularBuffers", {"more": 1}), ("rotatedValues", {})]
STENCILS = [
    ("fun(xs: (N+3).f32 => xs |> map(fun(x => x * 2.0)) |> slide(3, 1) |> map(reduce(add, 0.0)))", XS),
    (
        "fun(xs: (N+3).5.f32 => xs |> map(map(fun(x => x * 2.0))) |> slide(3, 1)"
        " |> map(fun(w => w |> transpose |> map(reduce(add, 0.0)))))",
        ROWS,
    ),
]


@pytest.mark.parametrize(("case", "target"), some_of(in_turn(product(STENCILS, STRATEGIES)), 3))
def test_a_stencil_is_lowered_to_a_stream(case: tuple[Any, Any], target: str) -> None:
    (text, argument), (name, parameters) = case
    e = rise.parse(text).main
    result = strategies.load(f"strategies.streaming:{name}", **parameters)(e)
    assert isinstance(result, elevate.Success)
    assert "slide" not in rise.show(result.program)
    found = shine.compile(result.program, target=target)(argument)
    np.testing.assert_array_equal(found, rise.evaluate(e, argument))


SMALL = """\
error[buffer-size]: expected a buffer of at least 3 elements, the length of a window, found 2
hint: write circularBuffer(3, 3, ...)"""
ONCE = """\
error[not-streamed]: expected a function that takes the columns of `lineBuffer` once, in order, found another
hint: write fun(row => row |> ...) with mapStream, rotateValues or iterateStream first; or use circularBuffer"""
REFUSED = {
    f"fun(xs: (N+3).f32 => xs |> circularBuffer(2, 3, id) |> iterateStream({SUM}))": SMALL,
    f"fun(xs: (N+3).f32 => xs |> circularBuffer(3, 3, id) |> mapSeq({SUM}))": """\
error[not-streamed]: expected `iterateStream` to take the windows of `circularBuffer` in order, found them read at an \
index
hint: map over them with iterateStream, directly or after mapStream and zip; or use `slide`""",
    f"fun(rows: (N+3).5.f32 => rows |> lineBuffer(3, id) |> iterateStream(mapSeq({SUM})))": ONCE,
    f"fun(rows: (N+3).5.f32 => rows |> lineBuffer(3, id) |> mapSeq(mapSeq({SUM})))": """\
error[not-streamed]: expected `iterateStream` to take the windows of `lineBuffer` in order, found them read at an index
hint: map over them with iterateStream, directly or after mapStream and zip; or use `slide`""",
    "fun(rows: (N+3).5.f32 => rows |> lineBuffer(3, id)"
    " |> iterateStream(fun(row => zip(row, row) |> iterateStream(fun(p => idx(0, fst(p)))))))": ONCE,
    "fun(rows: (N+4).5.f32 => rows |> lineBuffer(3, id)"
    f" |> iterateStream(fun(row => row |> iterateStream({SUM}))) |> drop(1))": ONCE,
    f"fun(xs: (N+0).f32 => xs |> rotateValues(0, id) |> iterateStream({SUM}))": """\
error[window-size]: expected windows of at least 1 element, found 0
hint: slide instead""",
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_error_is_explained(text: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        translate(program(text))
    title, _, hint = str(caught.value).splitlines()
    assert f"{title}\n{hint}" == REFUSED[text]


def test_a_ring_that_is_too_small_has_no_meaning() -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.evaluate(program("fun(xs: (N+3).f32 => xs |> circularBuffer(2, 3, id))"), XS)
    assert str(caught.value) == SMALL
