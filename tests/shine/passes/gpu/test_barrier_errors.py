"""Kernels in which a barrier is needed where it is not possible. Contains correct kernels only for comparison."""

from __future__ import annotations

import pytest

from rise.diagnostics import RiseError
from rise.naturals import Nat, const
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import Launch
from shine.imperative.nodes import Block, Condition, If, Statement
from shine.passes.gpu.place_barriers import place_barriers
from tests.shine.passes.gpu.barrier_kernels import copy, fill, kernel, launch, over, scopes, shared
from tests.shine.procedures import loop

S, T = shared("s"), shared("t")


def found(how: Launch, *statements: Statement) -> list[str]:
    """The scopes of the barriers of a kernel."""
    return scopes(place_barriers(kernel(how, *statements)))


def refused(how: Launch, *statements: Statement) -> TranslationError:
    """The diagnostic for a kernel."""
    with pytest.raises(RiseError) as caught:
        place_barriers(kernel(how, *statements))
    assert isinstance(caught.value, TranslationError)
    assert caught.value.diagnostic.code == "divergent-barrier"
    return caught.value


def test_a_loop_that_not_all_threads_run_cannot_contain_a_barrier() -> None:
    def swap(i: Nat) -> list[Statement]:
        return [fill(S, i), copy(T, i, S, 39 - i)]

    error = refused(launch(64), over("threads", "i", 40, swap))
    assert error.origin == (9,)
    assert error.diagnostic.render() == (
        "error[divergent-barrier]: expected all threads to wait between two uses of s, by different threads, found both"
        " inside a loop over 40 for 64 units of threads\n"
        "hint: give the loop 64 iterations, one for each unit; or keep s in Local"
    )
    refused(launch(64), over("threads", "i", 128, lambda i: [fill(S, i), copy(T, i, S, 127 - i)]))
    refused(
        launch(warps=(2, 1, 1)),
        over(
            "warp", "w", 1, lambda w: [over("lane", "l", 16, lambda l: [fill(S, l), copy(T, l, S, 15 - l)])]
        ),
    )


def test_a_loop_that_not_all_warps_run_cannot_contain_a_barrier() -> None:
    def swap(w: Nat) -> list[Statement]:
        return [
            over("lane", "l", 32, lambda l: [fill(S, 32 * w + l), copy(T, 32 * w + l, S, 64 - 32 * w + l)])
        ]

    error = refused(launch(warps=(4, 1, 1)), over("warp", "w", 3, swap))
    assert "a loop over 3 for 4 units of warp" in error.diagnostic.title


def test_a_condition_on_threads_cannot_contain_a_barrier() -> None:
    def body(i: Nat) -> list[Statement]:
        return [If(Condition(((i, const(20)),)), Block((fill(S, i), copy(T, i, S, 19 - i))), ())]

    error = refused(launch(64), over("threads", "i", 64, body))
    assert "a condition that differs between threads" in error.diagnostic.title

    def alone(i: Nat) -> list[Statement]:
        return [If(Condition(((i, const(1)),)), Block((fill(S, i), copy(T, i, S, 0))), ())]

    assert found(launch(64), over("threads", "i", 64, alone)) == []

    def triangle(i: Nat) -> list[Statement]:
        return [loop("k", i + 1, lambda k: [fill(S, i), copy(T, i, S, k)])]

    error = refused(launch(64), over("threads", "i", 64, triangle))
    assert "a loop whose length differs between threads" in error.diagnostic.title


def test_a_statement_that_reads_what_other_threads_store_in_it_is_refused() -> None:
    error = refused(launch(64), over("threads", "i", 64, lambda i: [copy(S, i, S, 63 - i)]))
    assert "both in one statement" in error.diagnostic.title
    assert found(launch(64), over("threads", "i", 64, lambda i: [copy(S, i, S, i)])) == []
