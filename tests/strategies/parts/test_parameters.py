"""Tiles of blocks, warps and threads: which are rejected, and that the tiles in hints are accepted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from elevate import Diagnostic, StrategyError
from strategies import load
from strategies.parts.parameters import (
    check_divisors,
    check_multiples,
    check_powers,
    check_shape,
    check_vectors,
)
from strategies.registry import strategies
from strategies.tensor_core import tensorCore, wmma

SIZES = ("rows", "columns", "depth", "warp_rows", "warp_columns", "m", "n", "k")


def refusal(**tiles: Any) -> str:
    with pytest.raises(StrategyError) as caught:
        load("strategies.tensor_core:wmma", **tiles)
    assert caught.value.diagnostic.code == "tiles"
    return str(caught.value)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("size", [0, -16, 2.5, True, "wide", None])
def test_a_tile_is_a_number_of_elements(name: str, size: Any) -> None:
    assert f"expected an integer >= 1 for `{name}`, found {size!r}" in refusal(**{name: size})


def test_room_may_be_zero() -> None:
    wmma(room=0)
    assert "expected an integer >= 0 for `room`, found -1" in refusal(room=-1)


@given(some.integers(1, 300), some.integers(1, 300), some.sampled_from((1, 2, 16)))
def test_suggested_tiles_are_divisors(size: int, outer: int, unit: int) -> None:
    try:
        check_divisors(("a", size, unit, "b", outer))
        assert outer % size == 0
    except StrategyError as error:
        proposed = [int(one) for one in re.findall(r"\d+", error.diagnostic.hint)]
        if "for b" in error.diagnostic.hint:
            assert proposed and all(one % size == 0 for one in proposed)
        else:
            assert proposed and all(outer % one == 0 for one in proposed)


@given(some.integers(1, 300), some.integers(1, 64))
def test_suggested_sizes_are_multiples(size: int, inner: int) -> None:
    try:
        check_multiples(("a", size, "b", inner))
        assert size % inner == 0
    except StrategyError as error:
        proposed = [int(one) for one in re.findall(r"\d+", error.diagnostic.hint)]
        assert proposed and all(one > 0 and one % inner == 0 for one in proposed)


def test_suggested_shapes_are_accepted() -> None:
    with pytest.raises(StrategyError) as caught:
        check_shape(16, 16, 8)  # an instruction has this shape, but for numbers that no program uses
    shapes = re.findall(r"(\d+) x (\d+) x (\d+)", caught.value.diagnostic.hint)
    assert len(shapes) == 4
    for shape in shapes:
        check_shape(*map(int, shape))
        tensorCore(*map(int, shape))


def test_the_warps_of_a_block_are_limited() -> None:
    wmma(rows=128, columns=256, warp_rows=32, warp_columns=32)
    assert "expected at most 32 warps in a block, found 64" in refusal(
        rows=256, columns=256, warp_rows=32, warp_columns=32
    )


@pytest.mark.parametrize(
    ("address", "parameters", "expected"),
    [
        ("gpu:productTiles", {"thread_rows": 3}, "expected `thread_rows` to divide rows = 64, found 3"),
        ("gpu:productTiles", {"vector": 3}, "expected a power of two from 1 to 16 for `vector`, found 3"),
        ("gpu:productTiles", {"vector": 4.0}, "expected an integer >= 1 for `vector`, found 4.0"),
        ("gpu:productTiles", {"depth": 6}, "expected `vector` to divide depth = 6, found 4"),
        (
            "gpu:productTiles",
            {"rows": 256, "columns": 128},
            "expected at most 1024 threads in a block, found 2048",
        ),
        (
            "gpu:blocksAndThreads",
            {"columns": 66},
            "expected `columns` to be a multiple of a thread's = 4, found 66",
        ),
        (
            "gpu:blocksAndThreads",
            {"threads": 48},
            "expected a power of two from 32 to 1024 for `threads`, found 48",
        ),
        ("gpu:blocksAndThreads", {"items": 0}, "expected an integer >= 1 for `items`, found 0"),
        ("stencils:tileStencil", {"rows": 6}, "expected `items` to divide rows = 6, found 4"),
        (
            "stencils:tileStencil",
            {"rows": 128, "columns": 64},
            "expected at most 1024 threads in a block, found 2048",
        ),
        ("stencils:tileStencil", {"columns": -1}, "expected an integer >= 1 for `columns`, found -1"),
        (
            "tensor_core:wmma",
            {"room": 3},
            "expected `room` to be a multiple of 16 bytes of factors = 8, found 3",
        ),
        ("tensor_core:wmma", {"vector": 12}, "expected a power of two from 1 to 16 for `vector`, found 12"),
    ],
)
def test_tiles_that_do_not_fit_are_rejected(address: str, parameters: dict[str, Any], expected: str) -> None:
    with pytest.raises(StrategyError) as caught:
        load(f"strategies.{address}", **parameters)
    assert caught.value.diagnostic.title.startswith(expected)


ABSURD: tuple[Any, ...] = (0, -4, 2.5, "wide", None, 10**12, 10**6000, "x" * 10000, [], float("nan"))

#: parameters that are names, and parameters that are not sizes, with a value that they accept
NAMES = ("name", "at", "space")
OTHERS: dict[str, Any] = {"by_columns": False, "name": "e", "method": "views", "vector": 4}


def parameters_of_strategies() -> list[tuple[str, str]]:
    return [(a, one.partition("=")[0]) for a, entry in strategies().items() for one in entry.parameters]


@pytest.mark.parametrize(("address", "name"), parameters_of_strategies())
def test_every_parameter_of_every_strategy_is_checked(address: str, name: str) -> None:
    entry = strategies()[address]
    needed = {one: 32 for one in entry.parameters if "=" not in one}
    needed |= {one: value for one, value in OTHERS.items() if one in needed}
    load(address, **needed)
    for value in ABSURD:
        if name in NAMES and isinstance(value, str):
            continue  # whether a program has it is only known when it is applied
        said = diagnostic_of(address, {**needed, name: value})
        if said is None and value is None:
            assert f"{name}=..." in entry.parameters, (address, name)  # it is determined by others
        elif said is None:
            assert value == 0, (address, name, value)  # like `room`, `width`, `edges`
        else:
            assert said.code == "tiles" and said.title.startswith("expected"), said
            assert len(said.title) < 200 and said.hint


def diagnostic_of(address: str, parameters: dict[str, Any]) -> Diagnostic | None:
    try:
        load(address, **parameters)
    except StrategyError as error:
        return error.diagnostic
    return None


def test_a_block_must_be_a_multiple_of_the_tiles_of_warps() -> None:
    said = refusal(rows=100)
    assert "expected `warp_rows` to divide rows = 100, found 64\nhint: for rows, 64 or 128 would work" in said
    wmma(rows=64)
    wmma(rows=128)


@given(some.integers(1, 300), some.sampled_from((2, 4, 8, 16)))
def test_suggested_vectors_are_powers_of_two(length: int, vector: int) -> None:
    try:
        check_vectors(vector, depth=length)
        assert length % vector == 0
    except StrategyError as error:
        for one in map(int, re.findall(r"\d+", error.diagnostic.hint)):
            check_powers(1, 16, vector=one)
            check_vectors(one, depth=length)
