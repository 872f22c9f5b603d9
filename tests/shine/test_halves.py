"""16-bit floats in C: conversions on bits, and loops that compilers vectorise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rise
import shine
import strategies
from shine.targets.c.half import CONVERSIONS
from tests.examples import THOROUGH


def kernel(text: str, cache: Path) -> Any:
    main = rise.parse(text).main
    lowered = strategies.load(shine.TARGETS["openmp"].strategy)(main).program
    return shine.compile(lowered, target="openmp", cache=str(cache))


def same_bits(found: Any, wanted: Any) -> bool:
    """Whether all bits are equal; of what is not a number, whether both are none."""
    bits = f"u{found.dtype.itemsize}"
    is_none = np.isnan(found)
    return bool(
        found.dtype == wanted.dtype
        and (is_none == np.isnan(wanted)).all()
        and (found.view(bits) == wanted.view(bits))[~is_none].all()
    )


def test_every_half_is_converted(cache: Path) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    assert same_bits(
        kernel("fun(xs: N.f16 => xs |> map(cast{f32}))", cache)(halves), halves.astype(np.float32)
    )


def test_floats_are_rounded_to_the_nearest_half(cache: Path) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    around = [halves.astype(np.int64) + step for step in (-1, 0, 1, 0x0FFF, 0x1000, 0x1001)]
    step = 97 if THOROUGH else 65_537
    some = np.concatenate([*around, np.arange(0, 1 << 32, step)]).astype(np.uint32).view(np.float32)
    with np.errstate(all="ignore"):
        wanted = some.astype(np.float16)
    assert same_bits(kernel("fun(xs: N.f32 => xs |> map(cast{f16}))", cache)(some), wanted)


@pytest.mark.parametrize("name", ["f16", "f32"])
def test_sums_of_the_library_are_kept_in_lanes(name: str, cache: Path) -> None:
    for definition in ("sum", "mean"):
        source = kernel(f"import statistics\nval main = fun(xs: N.{name} => {definition}(xs))", cache).source
        assert "float acc[32]" in source
        assert ("f32_of_f16" in source) == (name == "f16")
    assert set(CONVERSIONS) == {"f32_of_f16", "f16_of_f32"}


def test_a_mean_divides_by_its_size(cache: Path) -> None:
    source = kernel("import statistics\nval main = fun(xs: N.f32 => mean(xs))", cache).source
    assert "/ (float)N" in source
