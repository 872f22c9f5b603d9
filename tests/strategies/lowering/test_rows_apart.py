"""Rows that are computed as a whole are stored before their elements are read one by one."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import pytest

import rise
import strategies
from elevate import Success
from tests.examples import in_whole, some
from tests.shine.executors import LOWERINGS, agree, agree_lowered, in_turn

X: Final = np.array([[3, 1, 2], [0, 5, 4], [9, 7, 8]], np.float32)
ORDER: Final = np.array([2, 0, 1])
#: programs on square matrices, in which each row is computed as a whole and read by columns, or as one array
PROGRAMS: Final = {
    "backwards": "fun(xs: N.N.f32 => xs |> map(sort) |> reorder(fromEnd, fromEnd) |> transpose |> map(sort))",
    "joined": "fun(xs: N.N.f32 => xs |> map(sort) |> join |> split(N) |> transpose |> map(sort))",
    "beside others": "fun(xs: N.N.f32 => concat(xs |> map(sort), xs) |> transpose |> map(sort))",
    "some of them": "fun(xs: (1 + N).M.f32 => xs |> map(sort) |> drop(1) |> transpose |> map(sort))",
    "first ones": "fun(xs: (N + 1).M.f32 => xs |> map(sort) |> take(N) |> transpose |> map(sort))",
    "generated": "fun(xs: N.N.f32 => generate(fun(i: idx[N] => sort(xs |> idx(i)))) |> transpose |> map(sort))",
    "in turns": "fun(xs: N.N.f32 => xs"
    " |> map(iterateWhile(2, fun(r => true), fun(r => r |> map(add(1.0))))) |> transpose |> map(sort))",
}


def lowered(text: str, strategy: str) -> str:
    found = strategies.load(strategy)(rise.parse(text).main)
    assert isinstance(found, Success)
    return rise.show(found.program)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("strategy", ["strategies.openmp:parallel", "strategies.gpu:blocksAndThreads"])
def test_no_row_is_computed_for_each_element(name: str, strategy: str) -> None:
    text = lowered(PROGRAMS[name], strategy)
    assert not re.search(r"\b(map|generate)\(fun\([^=]*=>[^|]*\|> (sortSeq|toMem)", text)


@pytest.mark.parametrize(("name", "target"), some(in_turn(PROGRAMS), 2))
def test_results_agree_with_the_meaning(name: str, target: str) -> None:
    agree(PROGRAMS[name], X, targets=(target,), lower=True)


@in_whole("test_results_agree_with_the_meaning")
def test_chosen_rows() -> None:
    text = "fun(c: bool, xs: N.M.f32 => (if c then xs |> map(sort) else xs) |> transpose |> map(sort))"
    for turn, target in enumerate(LOWERINGS):
        for choice in some((True, False), 2, first=turn):
            agree(text, choice, X, targets=(target,), lower=True)


@in_whole("test_results_agree_with_the_meaning")
def test_scattered_rows() -> None:
    scattered = "fun(is: N.idx[N], xs: N.N.f32 => xs |> map(scatter(is)) |> transpose |> map(scatter(is)))"
    agree_lowered(scattered, ORDER, X)
    joined = "fun(is: N.idx[N], xs: M.N.f32 => xs |> map(scatter(is)) |> join |> split(M) |> map(reduce(add, 0.0)))"
    agree_lowered(joined, ORDER, X)
