"""Sizes, counts and indices beyond 64 bits, and arrays beyond memory: one diagnostic each, on every executor."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from rise.naturals import nat
from shine.imperative.nodes import Allocate, Buffer
from shine.kernel import make_kernel
from tests.examples import some
from tests.shine.executors import LOWERINGS, compiled
from tests.shine.procedures import F32, array, assign, load, parameter, procedure, size

F = np.float32
SUM: Final = "fun({K: nat}, x: f32 => generate(fun(i: idx[K] => x)) |> reduce(add, 0.0))"
LAST: Final = (
    "fun({K: nat}, x: i64 => generate(fun(i: idx[4 * K] => indexAsInt(fromEnd(i)) + x)) |> take(1)"
    " |> mapSeq(id))"
)
STORED: Final = (
    "fun({K: nat}, {M: nat}, x: f32 => generate(fun(i: idx[K * M] => x)) |> mapSeq(id) |> toMem(Global)"
    " |> take(1) |> mapSeq(id))"
)
FILLED: Final = "fun({K: nat}, {M: nat}, x: f32 => generate(fun(i: idx[K * M] => x)) |> mapSeq(id))"
ROWS: Final = (
    "fun({K: nat}, {M: nat}, x: f32 => generate(fun(i: idx[K] => generate(fun(j: idx[M] => x))))"
    " |> mapSeq(mapSeq(id)))"
)
POWER: Final = "fun({K: nat}, x: f32 => generate(fun(i: idx[2^K] => x)) |> take(1) |> mapSeq(id))"
every_target = pytest.mark.parametrize("target", LOWERINGS)


def message_of(run: Any, *arguments: Any, **given: Any) -> str:
    """The title of an error."""
    with pytest.raises(rise.RiseError) as caught:
        run(*arguments, **given)
    return str(caught.value)


# Numbers


@every_target
@pytest.mark.parametrize(
    ("k", "shown"),
    some([(2**63, "2^63"), (2**64 + 3, "18446744073709551619"), (10**40, "more than 2^132")], 2),
)
def test_a_size_of_64_bits_is_refused(target: str, k: int, shown: str) -> None:
    message = (
        f"error[size-too-large]: `K`: expected a size below 2^63, found {shown}\nhint: use smaller sizes"
    )
    assert message_of(compiled(SUM, target, lower=True), F(1), sizes={"K": k}) == message


@every_target
def test_a_size_of_64_bits_among_the_arguments_is_refused(target: str) -> None:
    kernel = compiled(SUM.replace("{K: nat}", "K: nat"), target, lower=True)
    assert kernel(3, F(1)) == 3
    assert "`K`: expected a size below 2^63, found 2^64" in message_of(kernel, 2**64, F(1))


@every_target
def test_an_index_that_a_kernel_computes_is_below_2_to_the_63(target: str) -> None:
    kernel = compiled(LAST, target)
    for k in (1, 5, 2**29, 2**31, 2**60 + 7):
        assert kernel(2, sizes={"K": k}) == [4 * k + 1]
    assert message_of(kernel, 2, sizes={"K": 2**62}).splitlines() == [
        "error[size-too-large]: kernel: expected `4 * K - 1` below 2^63, found 18446744073709551615",
        "note: in id{i64}",
        "note: K = 2^62, from `sizes`",
        "hint: use smaller sizes",
    ]


@every_target
def test_sizes_beyond_32_bits_are_computed_in_64(target: str) -> None:
    text = LAST.replace("4 * K", "K * M").replace("{K: nat}", "{K: nat}, {M: nat}")
    kernel = compiled(text, target)
    for k, m in ((3, 5), (2**15, 2**16), (2**16, 2**16), (2**31 + 1, 2**30)):
        assert kernel(0, sizes={"K": k, "M": m}) == [k * m - 1]


@every_target
def test_the_elements_of_a_temporary_are_counted(target: str) -> None:
    kernel = compiled(STORED, target)
    assert kernel(F(2), sizes={"K": 3, "M": 5}) == [2]
    message = message_of(kernel, F(2), sizes={"K": 2**32, "M": 2**32})
    assert message.startswith("error[size-too-large]: kernel: expected ")
    assert "note: in generate(fun(i: idx[K * M] => x)) |> mapSeq(id{f32}) |> toMem(Global)" in message
    assert "note: K = 2^32, from `sizes`\nnote: M = 2^32, from `sizes`" in message


@every_target
def test_the_elements_of_a_result_are_counted(target: str) -> None:
    message = message_of(compiled(FILLED, target), F(2), sizes={"K": 2**31, "M": 2**32})
    assert (
        message.startswith("error[size-too-large]: kernel: expected ") and "below 2^63, found 2^6" in message
    )


@every_target
def test_a_power_may_have_any_number_of_bits(target: str) -> None:
    kernel = compiled(POWER, target)
    assert kernel(F(2), sizes={"K": 3}) == [2]
    message = "kernel: expected sizes that are natural numbers below 2^63, found 2^1000000000000"
    assert message in message_of(kernel, F(2), sizes={"K": 10**12})
    assert "[size-too-large]" in message_of(rise.specialise, rise.parse(POWER).main, K=10**12)


@every_target
@pytest.mark.parametrize(
    "text",
    [SUM, LAST, ROWS.replace("{M: nat}, ", "").replace("M", "K"), "fun(xs: K.f32 => xs |> map(fun(x => x)))"],
)
def test_sizes_that_are_fixed_are_refused_before_a_kernel_is_built(target: str, text: str) -> None:
    fixed = rise.specialise(rise.parse(text).main, K=2**70)
    message = message_of(compiled, rise.show(fixed), target, True)
    assert (
        message.startswith("error[size-too-large]: expected sizes below 2^63, found ")
        and "\nnote: in " in message
    )


@every_target
def test_results_of_fixed_sizes_are_refused_before_a_kernel_is_built(target: str) -> None:
    fixed = rise.specialise(rise.parse(ROWS).main, K=2**32)
    message = message_of(shine.compile, rise.specialise(fixed, M=2**32), target=target)
    title = "expected the number of bytes of `output` below 2^63, found 2^66"
    assert message.startswith(f"error[size-too-large]: {title}\nnote: in fun(x: f32 => generate(")
    kernel = shine.compile(fixed, target=target)  # it depends on M
    assert "note: M = 2^32, from `sizes`" in message_of(kernel, F(1), sizes={"M": 2**32})


@every_target
def test_rows_of_no_elements_are_joined(target: str) -> None:
    text = "fun({K: nat}, xs: 3.K.f32 => xs |> join |> padCst(1, 2, 9.0) |> mapSeq(id))"
    fixed = rise.specialise(rise.parse(text).main, K=0)
    assert shine.compile(fixed, target=target)(np.empty((3, 0), F)).tolist() == [9, 9, 9]


def test_arrays_without_elements_have_any_length_that_numpy_accepts() -> None:
    rows = np.empty((2**59, 0), F)
    kernel = compiled("fun(xs: N.M.f32 => xs |> take(2) |> join |> mapSeq(id))", "openmp")
    assert kernel(rows).shape == (0,)


def test_a_loop_that_is_distributed_over_threads_counts_all_iterations() -> None:
    kernel = compiled(ROWS.replace("Seq", "Par"), "openmp")
    assert kernel(F(1), sizes={"K": 2, "M": 3}).shape == (2, 3)
    assert "[size-too-large]" in message_of(kernel, F(1), sizes={"K": 2**32, "M": 2**32})


def test_a_grid_has_at_most_the_blocks_that_a_device_supports() -> None:
    text = STORED.replace("{M: nat}, ", "").replace("K * M", "K").replace("mapSeq", "mapBlock(0)", 1)
    kernel = compiled(text, "cuda-sim")
    assert kernel(F(1), sizes={"K": 3}) == [1]
    message = "kernel: expected the number of blocks of `kernel` along x below 2^31, found 2^31"
    assert message in message_of(kernel, F(1), sizes={"K": 2**31})
    fixed = rise.specialise(rise.parse(text).main, K=2**31)
    assert "along x below 2^31, found 2^31" in message_of(shine.compile, fixed, target="cuda-sim")


# Memory


@every_target
def test_a_temporary_beyond_memory(target: str) -> None:
    kernel = compiled(STORED, target)
    assert message_of(kernel, F(2), sizes={"K": 2**25, "M": 2**25}).splitlines() == [
        "error[out-of-memory]: there is no memory for the temporary `stored`, 4503599627370496 bytes (4 PiB)",
        "note: in generate(fun(i: idx[K * M] => x)) |> mapSeq(id{f32}) |> toMem(Global)",
        "hint: use smaller sizes, or a strategy that keeps less in temporaries",
    ]


@every_target
def test_a_result_beyond_memory(target: str) -> None:
    assert message_of(compiled(FILLED, target), F(2), sizes={"K": 2**25, "M": 2**25}) == (
        "error[out-of-memory]: there is no memory for a result of shape (1125899906842624,) of float32:"
        " 4503599627370496 bytes (4 PiB)\nhint: use smaller sizes"
    )


@every_target
def test_a_copy_of_an_input_beyond_memory(target: str) -> None:
    kernel = compiled("fun(xs: N.f32 => xs |> take(1) |> mapSeq(id))", target)
    message = message_of(kernel, np.broadcast_to(F(1), (2**50,)))
    assert message.startswith(
        "error[out-of-memory]: there is no memory for a copy of `xs` of shape (1125899906842624,)"
    )


def test_one_of_several_temporaries_beyond_memory() -> None:
    n, output = size("n"), parameter("output", array(1))
    parts = [Buffer(name, F32, nat(n) * n, "Local", (1,)) for name in ("a", "b")]
    body = (
        *(Allocate(one, (1,)) for one in parts),
        *(assign(one, 0, load(parts[0], 0)) for one in (*parts, output.buffers[0])),
    )
    kernel = make_kernel(procedure("two", [n], [], output, *body), "openmp", reuse=False)
    message = message_of(kernel, sizes={"n": 2**25})
    assert (
        "no memory for the temporaries `a`, 4503599627370496 bytes (4 PiB) and `b`, 4503599627370496"
        in message
    )
