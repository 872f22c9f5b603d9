"""Copies into shared memory that become asynchronous: which do, and which do not change."""

from __future__ import annotations

import pytest

import elevate
import rise
import strategies
from strategies.parts.staging import asynchronousCopies
from strategies.rules.staging import copyAsynchronously
from strategies.testing import check


@pytest.mark.parametrize(
    ("t", "fires"),
    [
        ("f32", True),
        ("i32", True),
        ("f64", True),
        ("u64", True),
        ("(f32, i64)", True),
        ("vec[8, f16]", True),
        ("vec[2, f16]", True),
        ("vec[2, f64]", True),
        ("vec[16, i8]", True),
        ("f16", False),
        ("bool", False),
        ("i8", False),
        ("(f32, f16)", False),
        ("4.f32", False),
        ("vec[3, f32]", False),
        ("vec[4, f64]", False),
        ("idx[4]", False),
    ],
)
def test_elements_of_4_8_or_16_bytes_are_copied(t: str, fires: bool) -> None:
    result = copyAsynchronously(rise.parse_expr(f"fun(x: {t} => x)"))
    assert isinstance(result, elevate.Success) == fires
    if fires:
        assert result.program == rise.parse_expr(f"fun(x: {t} => globalToShared(x))")


def test_the_rule_holds() -> None:
    check(copyAsynchronously, examples=10)


def test_only_copies_to_shared_memory_change() -> None:
    text = (
        "fun(xs: 64.f32 => xs |> mapThreads(0, fun(x => {})) |> toMem(Shared)"
        " |> mapThreads(0, fun(x => x)) |> toMem(Local) |> mapThreads(0, fun(x => x)))"
    )
    before, after = (rise.parse_expr(text.format(x)) for x in ("x", "globalToShared(x)"))
    result = asynchronousCopies(before)
    assert isinstance(result, elevate.Success)
    assert result.program == after
    assert len(result.steps) == 1
    assert not isinstance(asynchronousCopies(after), elevate.Success)


def test_the_rule_fails_if_nothing_can_be_copied_asynchronously() -> None:
    """Single numbers of 2 bytes; and tensor cores that read global memory."""
    gemm = rise.parse_file("examples/gemm.rise").main
    single = strategies.load("strategies.tensor_core:wmma", vector=1)
    assert not isinstance((single >> asynchronousCopies)(gemm), elevate.Success)
    alone = strategies.load("strategies.tensor_core:tensorCore")
    assert not isinstance((alone >> asynchronousCopies)(gemm), elevate.Success)


def test_the_strategy_is_loaded_by_its_address() -> None:
    assert strategies.load("strategies.parts.staging:asynchronousCopies") == asynchronousCopies
