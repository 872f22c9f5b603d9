"""`bitCast` keeps every bit, between all types of one width, on every target. Uses no other operations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
import shine
from rise.diagnostics import RiseError
from rise.scalars import SCALARS
from tests.examples import examples
from tests.shine.executors import in_turn
from tests.shine.procedures import flatten

WIDTHS = (8, 16, 32, 64)
LEVELS = {"interpret": "mapSeq", "openmp": "mapSeq", "cuda-sim": "mapGlobal(0)"}


def of_width(bits: int) -> list[str]:
    """The number types of this width."""
    return [name for name, scalar in SCALARS.items() if scalar.bits == bits and "num" in scalar.classes]


def to_all(source: str, level: str) -> rise.Expr:
    """A program that reinterprets numbers as those of every type of the same width."""
    *rest, last = (f"bitCast{{{t}}}(x)" for t in of_width(SCALARS[source].bits))
    body = "".join(f"pair({one}, " for one in rest) + last + ")" * len(rest)
    return rise.parse(f"fun(xs: N.{source} => xs |> {level}(fun(x => {body})))").main


@pytest.mark.parametrize(("bits", "target"), in_turn(WIDTHS, tuple(LEVELS)))
def test_bits_stay(bits: int, target: str, cache: Path) -> None:
    patterns = np.random.default_rng(bits).integers(0, 256, 96 * bits // 8).astype(np.uint8).tobytes()
    for source in of_width(bits):
        given = np.frombuffer(patterns, SCALARS[source].dtype)
        options = {"cache": str(cache)} if target != "interpret" else {}
        e = to_all(source, LEVELS[target])
        for found in (shine.compile(e, target, **options)(given), rise.evaluate(e, given)):
            for one, t in zip(flatten(found), of_width(bits), strict=True):
                assert isinstance(one, np.ndarray) and one.dtype == SCALARS[t].dtype
                if source == t or not is_nan(given, one):
                    assert one.tobytes() == patterns, (source, t)


def is_nan(given: np.ndarray, found: np.ndarray) -> bool:
    """Whether bit patterns include NaNs, which processors may make quiet."""
    return bool(np.isnan(given.astype(np.float64)).any() or np.isnan(found.astype(np.float64)).any())


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=examples(50), deadline=None)
def test_a_bit_cast_and_its_inverse_change_nothing(bits: int) -> None:
    e = rise.parse("fun(x: u32 => bitCast{u32}(bitCast{f32}(x)))").main
    assert rise.evaluate(e, np.uint32(bits)) == bits


def test_bit_casts_of_vectors(cache: Path) -> None:
    text = "fun(xs: N.f32 => xs |> asVector(4) |> {}(fun(v => bitCast{{vec[4, u32]}}(v))) |> asScalar)"
    xs = np.arange(16, dtype=np.float32)
    for target, level in LEVELS.items():
        options = {"cache": str(cache)} if target != "interpret" else {}
        kernel = shine.compile(rise.parse(text.format(level)).main, target, **options)
        assert kernel(xs).tobytes() == xs.tobytes()


def test_types_of_other_widths_are_refused_where_they_become_known() -> None:
    low = "fun(xs: 4.f32 => xs |> mapSeq(fun(x => bitCast(x) : f32)))"
    assert shine.compile(rise.parse(low).main, "interpret")(np.ones(4, np.float32)).tolist() == [1] * 4
    open_type = rise.parse("val f = fun(xs: 4.f32 => xs |> mapSeq(fun(x => bitCast(x))))")["f"]
    wide = rise.specialise(open_type, t="f64")
    for use in (
        lambda: shine.compile(wide, "interpret"),
        lambda: rise.evaluate(wide, np.ones(4, np.float32)),
    ):
        with pytest.raises(RiseError, match="expected a type of 64 bits, as f64, found f32 of 32 bits"):
            use()
