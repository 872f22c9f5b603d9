"""8-bit floating-point numbers: conversions agree with ml_dtypes bit by bit, on every target."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from rise.rounding import convert
from rise.scalars import SCALARS, is_only_stored
from rise.values import leaves
from tests import required_tools
from tests.cli.commands import shine as command
from tests.examples import some

NAMES = [name for name in SCALARS if is_only_stored(name)]
TARGETS = ("openmp", "interpret", "cuda-sim")
ADDED = {"f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}
WIDER = ("f16", "bf16", "f32", "f64", "i8", "u64", "c64")


def all_values(name: str) -> Any:
    return np.arange(256, dtype=np.uint8).view(ADDED[name])


def hard_numbers(name: str) -> Any:
    """Numbers of the type, the midpoints between them, the neighbours of these as f64 and f32, and numbers out of
    range.
    """
    finite = np.unique(all_values(name).astype(np.float64))
    finite = finite[np.isfinite(finite)]
    halfway = (finite[1:] + finite[:-1]) / 2
    beyond = finite[-1] + (finite[-1] - finite[-2]) / 2  # numbers that round to a number that the type lacks
    given = np.concatenate([finite, halfway, [beyond, -beyond, 1e30, 1e300, np.inf, -np.inf, np.nan, 5e-324]])
    near = [np.nextafter(given, to) for to in (np.inf, -np.inf)]
    with np.errstate(all="ignore"):
        near += [
            np.nextafter(given.astype(np.float32), np.float32(to)).astype(np.float64) for to in (9e9, -9e9)
        ]
    return np.concatenate([given, *near])


def agree(found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    with np.errstate(all="ignore"):  # of NaN
        both = [
            each.astype(np.complex128 if each.dtype.kind == "c" else np.float64) for each in (found, expected)
        ]
    np.testing.assert_array_equal(*both)
    np.testing.assert_array_equal(*(np.signbit(each.real) & ~np.isnan(each.real) for each in both))


def nearest(number: float, name: str) -> int:
    """The bits of a positive number rounded once, to even bits at midpoints; numbers that are too large have larger
    bits.
    """
    values = [Fraction(each) for each in all_values(name).astype(np.float64)[:127].tolist() if each < np.inf]
    values.append(2 * values[-1] - values[-2])
    above = min(bisect_left(values, Fraction(number)), len(values) - 1)
    below = max(above - 1, 0)
    up, down = abs(values[above] - Fraction(number)), abs(Fraction(number) - values[below])
    return above if up < down or (up == down and above % 2 == 0) else below


@pytest.mark.parametrize("name", NAMES)
def test_the_meaning_of_a_cast_is_the_nearest_number(name: str) -> None:
    numbers = hard_numbers(name)
    numbers = numbers[np.isfinite(numbers) & ~np.signbit(numbers)]
    with np.errstate(all="ignore"):
        found = convert(numbers, SCALARS[name].dtype).view(np.uint8)
    largest = max(code for code in range(128) if np.isfinite(all_values(name).astype(np.float64)[code]))
    for number, bits in zip(numbers.tolist(), found.tolist(), strict=True):
        expected = nearest(number, name)
        assert bits == expected or (expected > largest and bits > largest), number


@pytest.mark.parametrize("target", some(TARGETS, 2))
def test_all_numbers_are_widened(target: str) -> None:
    """Those of all types, by one kernel."""
    inputs = ", ".join(f"{name}s: N.{name}" for name in NAMES)
    casts = ", ".join(
        f"{name}s |> map(fun(x => cast{{{wide}}}(x)))" for name in NAMES for wide in ("f32", *WIDER)
    )
    program = rise.parse_expr(f"fun({inputs} => ({casts}))")
    numbers = [all_values(name) for name in NAMES]
    found = leaves(shine.compile(program, target=target)(*numbers))
    for one, other in zip(found, leaves(rise.evaluate(program, *numbers)), strict=True):
        agree(one, other)
    for one, given in zip(found[:: 1 + len(WIDER)], numbers, strict=True):
        agree(one, given.astype(np.float32))


@pytest.mark.parametrize("target", some(TARGETS, 2))
def test_numbers_are_rounded_once(target: str) -> None:
    """To all types, by one kernel."""
    casts = ", ".join(f"{array} |> map(cast{{{name}}})" for name in NAMES for array in ("xs", "ys", "ns"))
    program = rise.parse_expr(f"fun(xs: N.f64, ys: N.f32, ns: N.i64 => ({casts}))")
    numbers = np.concatenate([hard_numbers(name) for name in NAMES])
    with np.errstate(all="ignore"):
        singles = numbers.astype(np.float32)
        integers = np.where(np.abs(numbers) < 1e5, numbers, 0).astype(np.int64) + 2**53 * (numbers > 1e20)
    found = leaves(shine.compile(program, target=target)(numbers, singles, integers))
    expected = leaves(rise.evaluate(program, numbers, singles, integers))
    for one, other in zip(found, expected, strict=True):
        agree(one, other)
    for one, name in zip(found[1::3], NAMES, strict=True):
        with np.errstate(all="ignore"):
            agree(one, singles.astype(ADDED[name]))


def test_narrow_floats_are_passed_as_numbers_and_as_arrays_in_every_layout() -> None:
    program = rise.parse_expr(
        "fun(xs: N.f8e4m3, s: f8e5m2 => xs |> map(fun(x => cast{f8e5m2}(cast{f32}(x) * cast{f32}(s)))))"
    )
    xs, s = np.arange(8).astype(ADDED["f8e4m3"]), ADDED["f8e5m2"](0.5)
    expected = (np.arange(8) / 2).astype(ADDED["f8e5m2"])
    for target in TARGETS:
        kernel = shine.compile(program, target=target)
        agree(kernel(xs, s), expected)
        agree(kernel(xs[::2], s), expected[::2])
        agree(kernel(xs[::-1], s), expected[::-1])


def test_python_programs_compute_with_them_after_a_conversion() -> None:
    @shine.jit
    def scaled(x: Any, w: Any) -> Any:
        return (x.astype(np.float32) * w.astype(np.float32)).sum(axis=1).astype(ml_dtypes.float8_e4m3fn)

    x = np.arange(12).reshape(3, 4).astype(ml_dtypes.float8_e4m3fn)
    w = np.full(4, 0.5).astype(ml_dtypes.float8_e5m2)
    agree(scaled(x, w), np.array([3, 11, 19]).astype(ml_dtypes.float8_e4m3fn))


def test_arithmetic_is_rejected_with_a_hint_to_convert() -> None:
    with pytest.raises(RiseError) as raised:
        rise.parse_expr("fun(xs: N.f8e4m3 => xs |> map(fun(x => x * x)))")
    assert raised.value.diagnostic.title == "expected a type of numbers with arithmetic, found f8e4m3"
    assert raised.value.diagnostic.hint == "f8e4m3 is only stored: compute with `cast{f32}(x)`"
    with pytest.raises(RiseError) as raised:
        shine.jit(lambda x: x * x)(np.ones(3, ml_dtypes.float8_e5m2))
    assert raised.value.diagnostic.hint == 'convert first: `x.astype("f32")`'


@pytest.mark.parametrize("name", some(NAMES, 2))
def test_the_command_writes_and_reads_narrow_floats(name: str, tmp_path: Path) -> None:
    program, first, second = tmp_path / "halved.rise", tmp_path / "first.npy", tmp_path / "second.npy"
    program.write_text(
        f"val halved = fun(xs: N.{name} => xs |> map(fun(x => cast{{{name}}}(cast{{f32}}(x) * 0.5))))\n",
        encoding="utf-8",
    )
    assert command("run", program, "--size", "N=4", "-o", first, "--verify").status == 0
    said = command("run", program, "--input", f"xs={first}", "-o", second, "--verify")
    assert said.status == 0 and f"result: 4 of {ADDED[name].__name__}" in said.out
    agree(
        np.load(second).view(ADDED[name]),
        (np.load(first).view(ADDED[name]).astype(np.float32) / 2).astype(ADDED[name]),
    )


def test_tensors_keep_their_type() -> None:
    torch = required_tools.torch()
    xs = torch.arange(6).to(torch.float8_e5m2)
    program = rise.parse_expr("fun(xs: N.f8e5m2 => xs |> map(fun(x => cast{f8e4m3}(x))))")
    found = shine.compile(program)(xs)
    assert found.dtype == torch.float8_e4m3fn and found.float().tolist() == [0, 1, 2, 3, 4, 5]
