"""Dependent pairs as arguments and results of kernels on every target; rejected programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from tests.examples import some
from tests.rise.programs.test_dependent_pairs import (
    ALL,
    BOTH,
    CHOICE,
    GROWN,
    NAMED,
    NAMED_ALL,
    NAMED_CHOICE,
    PAST,
    SQUARES,
    SUM,
    TWICE,
    paired,
)
from tests.rise.test_dependent import message
from tests.shine.executors import compiled, in_turn
from tests.snapshot_files import read_snapshots, write_snapshots

F = np.float32
SAME = "fun(p: (n: nat ** n.f32) => p)"
HORNER = """fun(k: nat, points: k.f32, p: (n: nat ** n.f32) => points |> map(fun(x =>
  dmatch(p, fun(m: nat, cs => cs |> reduceSeq(fun(sum, c => sum * x + c), 0.0))))))"""
EQUAL = """fun(c: bool, p: (n: nat ** n.f32) => dmatch(p, fun(m: nat, xs =>
  if c then makeDepPair(m, xs |> map(add(1.0))) else makeDepPair(m, xs))))"""

PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a sum": (SUM, (paired(1, 2, 3),)),
    "nothing": (SUM, (paired(),)),
    "a pair that is given": (TWICE, (paired(1, 2, 3),)),
    "a copy": (SAME, (paired(1, 2, 3),)),
    "another number": (GROWN, (paired(1, 2, 3),)),
    "two numbers": (BOTH, (paired(1, 2, 3), paired(4))),
    "a name": (NAMED, (paired(1, 2, 3),)),
    "a choice": (CHOICE, (False, paired(1, 2, 3), paired(4))),
    "a choice for each element": (ALL, (np.array([True, False]), paired(1, 2, 3), paired(4))),
    "a choice of values": (EQUAL, (True, paired(1, 2))),
    "a matrix": (SQUARES, ((2, np.ones((2, 2), F)),)),
    "a size that is given beside": (HORNER, (2, np.array([1, 2], F), paired(1, 0, 3))),
}


@pytest.mark.parametrize(("name", "target"), some(in_turn(PROGRAMS), 2))
def test_a_kernel_agrees_with_the_meaning_of_its_program(name: str, target: str) -> None:
    text, arguments = PROGRAMS[name]
    kernel = compiled(text, target, lower=True)
    expected, found = rise.evaluate(rise.parse(text).main, *arguments), kernel(*arguments)
    if isinstance(expected, tuple):
        assert found[0] == expected[0] and found[0].dtype == np.int64
        expected, found = expected[1], found[1]
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("target", some(["interpret", "openmp", "cuda-sim"], 2))
def test_a_named_choice(target: str) -> None:
    assert compiled(NAMED_CHOICE, target, lower=True)(False, paired(1, 2, 3), paired(4)).tolist() == 16


def test_a_chosen_pair_of_many_elements_is_summed_on_a_gpu() -> None:
    ones = np.ones(5000, F), np.ones(2049, F)
    kernel = compiled(CHOICE, "cuda-sim", lower=True)
    assert kernel(True, *((len(one), one) for one in ones)) == 5000
    assert kernel(False, *((len(one), one) for one in ones)) == 2049


@pytest.mark.parametrize("target", ["interpret", "openmp"])
def test_a_named_choice_for_each_element(target: str) -> None:
    given = np.array([True, False]), paired(1, 2, 3), paired(4)
    assert compiled(NAMED_ALL, target, lower=True)(*given).tolist() == [18, 16]


def test_a_kernel_with_pairs_is_used_like_others() -> None:
    """Arguments by name, an output array, repeated calls with other numbers, the signature, timing."""
    kernel = compiled(BOTH, "interpret", lower=True)
    assert kernel.signature == (
        "kernel(p: (n ** n.f32), q: (n_1 ** n_1.f32)) -> (n + n_1 ** (n + n_1).f32) for all n, n_1"
    )
    out = np.zeros(3, F)
    number, found = kernel(q=paired(3), p=paired(1, 2), out=out)
    assert number == 3 and found is out and out.tolist() == [1, 2, 3]
    assert kernel(paired(5), paired())[1].tolist() == [5]
    assert kernel.time(paired(5), paired(), repeat=1, warmup=0).samples


KERNEL: Final = compiled(SUM, "interpret", lower=True)
SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "dependent_pair_errors.txt"
MISTAKES: dict[str, Callable[[], Any]] = {
    "an array where a pair is expected": lambda: KERNEL(np.zeros(3, F)),
    "another number than the array has": lambda: KERNEL((4, np.zeros(3, F))),
    "a number past the greatest": lambda: compiled(PAST, "interpret", lower=True)(((1 << 63) - 1, F(1))),
    "another number than sizes have": lambda: KERNEL(paired(1), sizes={"n": 2}),
    "no argument": lambda: KERNEL(),
    "one of two numbers as a result": lambda: shine.compile(
        rise.parse(
            CHOICE.replace(
                "dmatch(if c then p else q, fun(m: nat, xs => xs |> reduce(add, 0.0)))", "if c then p else q"
            )
        ).main
    ),
    "a pair in a pair": lambda: shine.compile(rise.parse(SAME.replace("=> p", "=> pair(p, 1.0)")).main),
    "an array of pairs": lambda: shine.compile(
        rise.parse(SAME.replace("=> p", "=> generate(fun(i: idx[2] => p))")).main
    ),
    "a pair of a pair": lambda: shine.compile(
        rise.parse("fun(p: (n: nat ** (k: nat ** n.k.f32)) => p)").main
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_error_messages(name: str) -> None:
    assert message(MISTAKES[name]) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(MISTAKES)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(call) for name, call in MISTAKES.items()})
