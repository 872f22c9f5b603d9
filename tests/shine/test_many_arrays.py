"""Kernels with many stored arrays: no part of the compiler recurses on their number.

Python's recursion limit is lowered below the number of arrays, which has the same effect as thousands of arrays, but
takes less time.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Success
from rise.terms import Expr
from shine.imperative import levels
from shine.imperative.nodes import Block, For, Statement
from shine.imperative.walk import statements
from tests.examples import some
from tests.shine.executors import text_of

MANY = 150
FRAMES = 130


@contextmanager
def few_frames() -> Iterator[None]:
    """Limit the number of further frames."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def stored(step: str, memory: str, count: int) -> str:
    """Arrays, each of which adds a number to the previous one; the result is the last one."""
    lets = "".join(
        f"let x{at + 1} = x{at} |> {step.format(f'fun(v => v + {at}.0)')} |> toMem({memory})\n"
        for at in range(count)
    )
    return f"{lets} in x{count} |> {step.format('fun(v => v)')}"


def in_order(count: int) -> Expr:
    """Arrays in the memory of a thread, one after the other."""
    return rise.parse(f"val main = fun(x0: N.f32 => {stored('mapSeq({})', 'Local', count)})").main


def in_a_block(count: int) -> Expr:
    """Arrays in the shared memory of a block."""
    inner = stored("mapThreads(0, {})", "Shared", count)
    text = f"fun(xs: (N * 8).f32 => xs |> split(8) |> mapBlock(0, fun(x0: 8.f32 => {inner})) |> join)"
    return rise.parse(f"val main = {text}").main


@pytest.mark.parametrize("target", some(["openmp", "interpret"], 2))
def test_any_number_of_arrays_is_stored(target: str) -> None:
    shine.compile(in_order(1), target=target)  # loads modules
    low = in_order(MANY)
    with few_frames():
        kernel = shine.compile(low, target=target)
    assert kernel(np.zeros(3, np.float32)).tolist() == [sum(range(MANY))] * 3


def test_any_number_of_arrays_is_shared_by_a_block() -> None:
    text_of(in_a_block(1), "cuda")  # loads modules
    low = in_a_block(MANY)
    with few_frames():
        source = text_of(low, "cuda")
    assert f"+ {MANY - 1}.0f;" in source


def lets(count: int) -> Expr:
    """Arrays of which the program does not say how to compute them."""
    given = "".join(f"let x{at + 1} = x{at} |> map(fun(v => v + {at}.0))\n" for at in range(count))
    return rise.parse(f"val main = fun(x0: N.f32 => {given} in x{count} |> map(fun(v => v * 2.0)))").main


def test_any_number_of_lets_is_lowered() -> None:
    strategy = strategies.load("strategies.sequential:sequential")
    strategy(lets(2))  # a strategy is compiled when it first runs
    e = lets(MANY)
    with few_frames():
        assert isinstance(strategy(e), Success)


def test_a_launch_is_chosen_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With twice as many loops over threads, at most twice as many statements are visited."""

    def visited(count: int) -> int:
        seen = 0

        def counted(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
            nonlocal seen
            for one in statements(block):
                seen += 1
                yield one

        with monkeypatch.context() as patch:
            patch.setattr(levels, "statements", counted)
            patch.setattr(sys.modules["shine.passes.gpu.choose_launch"], "statements", counted)
            text_of(in_a_block(count), "cuda")
        return seen

    assert visited(40) <= 2.2 * visited(20)
