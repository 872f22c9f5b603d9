"""Messages about sizes and indices that are out of range: in reading, compiling, evaluating and calling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine

FOUR = np.zeros(4, np.float32)
NO_SIZE = "hint: use sizes for which the program's divisions are exact and its subtractions are not negative"
OUTSIDE = "error[index-out-of-range]: `is`: expected indices from 0 to 4 (exclusive), found 4 at (0,)"
WIDE_WINDOW = "fun(xs: N.f32 => xs |> slide(5, 1) |> mapSeq(mapSeq(id)))"
GATHER = "fun(is: M.idx[N], xs: N.f32 => gather(is, xs) |> mapSeq(id))"
EVALUATED = [
    (
        WIDE_WINDOW,
        [FOUR[:3].copy()],
        "error[size-not-natural]: expected the size `N - 5` to be a natural number, found -2\n"
        f"note: N = 3\n{NO_SIZE}",
    ),
    (GATHER, [np.array([4]), FOUR], OUTSIDE),
]
CALLED = [
    (
        WIDE_WINDOW,
        [FOUR[:3].copy()],
        "error[size-mismatch]: kernel: expected sizes for which N >= 5, found N = 3\n"
        "note: slide(5, 1) needs it\nnote: N is from `xs`\nhint: pass arrays of other sizes, or pad them",
    ),
    (GATHER, [np.array([4]), FOUR], OUTSIDE),
]


@pytest.mark.parametrize(("text", "arguments", "message"), EVALUATED)
def test_evaluation_reports_sizes_out_of_range(text: str, arguments: list[Any], message: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.evaluate(rise.parse(text).main, *arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "arguments", "message"), CALLED)
def test_kernels_report_sizes_out_of_range(text: str, arguments: list[Any], message: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(rise.parse(text).main, target="interpret")(*arguments)
    assert str(caught.value) == message


def test_a_window_wider_than_a_known_array_has_no_type() -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.parse("fun(xs: 4.f32 => xs |> slide(5, 1))")
    assert "error[size-mismatch]: expected size ?n + 5, found 4" in str(caught.value)
    assert "hint: no natural number makes them equal" in str(caught.value)


def test_a_negative_pad_has_no_type() -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.parse("fun(xs: 4.f32 => xs |> padCst(-1, 1, 0.0) |> mapSeq(id))")
    assert str(caught.value).splitlines()[0] == "error[size-mismatch]: expected a size >= 0, found -1"


def test_an_index_past_the_end_is_rejected() -> None:
    with pytest.raises(rise.RiseError) as caught:
        rise.parse("fun(xs: 4.f32 => xs |> idx(4))")
    assert str(caught.value).splitlines()[0] == "error[number]: expected an index below 4, found `4`"
