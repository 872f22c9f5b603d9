"""Laws of rounding: a converted or fused result is the number nearest to the exact result."""

import itertools
import math
from fractions import Fraction
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rise.rounding import convert, fma, round_number

FLOATS: Final = {
    "f16": (np.dtype(np.float16), 11, 15),
    "bf16": (np.dtype(ml_dtypes.bfloat16), 8, 127),
    "f32": (np.dtype(np.float32), 24, 127),
    "f64": (np.dtype(np.float64), 53, 1023),
}
each_float: Final = pytest.mark.parametrize("name", FLOATS)


def nearest(exact: Fraction, precision: int, largest: int) -> float:
    """The nearest number of a binary format, ties to even, by exact arithmetic."""
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = Fraction(2) ** (max(exponent, 1 - largest) - precision + 1)
    rounded = round(size / unit) * unit  # Python rounds halves to even
    value = math.inf if rounded >= Fraction(2) ** (largest + 1) else float(rounded)
    return math.copysign(value, exact)


def numbers(precision: int, largest: int) -> st.SearchStrategy[float]:
    """Numbers of a format, mostly of similar magnitude."""
    mantissas = st.integers(-(2**precision) + 1, 2**precision - 1)
    exponents = st.one_of(st.integers(-3, 3), st.integers(2 - largest - precision, largest - precision))
    return st.builds(lambda m, e: math.ldexp(m, e - precision + 1), mantissas, exponents)


@each_float
@given(data=st.data())
def test_fma_rounds_once(name: str, data: st.DataObject) -> None:
    dtype, precision, largest = FLOATS[name]
    drawn = [data.draw(numbers(precision, largest)) for _ in range(3)]
    a, b, c = (np.array([x], np.float64).astype(dtype) for x in drawn)
    product = Fraction(float(a[0])) * Fraction(float(b[0]))
    close = np.array([nearest(-product, precision, largest)]).astype(dtype)
    for addend in (c, close if np.isfinite(close[0]) else c):
        exact = product + Fraction(float(addend[0]))
        with np.errstate(all="ignore"):
            found = fma(a, b, addend)
            single = fma(a.reshape(()), b.reshape(()), addend.reshape(()))
        assert found.dtype == single.dtype == dtype
        assert float(found[0]) == float(single) == nearest(exact, precision, largest)


@each_float
@pytest.mark.parametrize("shape", [(1,), ()])
def test_a_fused_zero_has_the_sign_of_the_sum(name: str, shape: tuple[int, ...]) -> None:
    for terms in itertools.product((0.0, -0.0, 1.0, -1.0), (0.0, 2.0), (0.0, -0.0, 2.0, -2.0)):
        a, b, c = (np.full(shape, x).astype(FLOATS[name][0]) for x in terms)
        sign = math.copysign(1.0, terms[0] * terms[1] + terms[2])
        assert math.copysign(1.0, float(fma(a, b, c).item())) == sign, terms


@each_float
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_fma_adds_an_infinity_to_any_product(name: str, sign: float) -> None:
    """Before rounding, the product of finite numbers is finite, however large."""
    dtype, _, largest = FLOATS[name]
    large = math.ldexp(1.0, largest)
    a, b, c = (np.array([x]).astype(dtype) for x in (large, -sign * large, sign * math.inf))
    with np.errstate(all="ignore"):
        for shape in ((1,), ()):
            x, y, z = (number.reshape(shape) for number in (a, b, c))
            assert fma(x, y, z).item() == sign * math.inf
            assert np.isnan(fma(np.abs(z), y, z).item())
            assert fma(x, y, y).item() == -sign * math.inf


@each_float
@given(data=st.data())
def test_a_float_becomes_the_nearest_of_another_type(name: str, data: st.DataObject) -> None:
    dtype, precision, largest = FLOATS[name]
    tie = st.builds(
        lambda x, e: x * (1 + 2.0**-precision) * (1 + e), numbers(precision, largest), st.just(2.0**-50)
    )
    x = data.draw(st.one_of(numbers(53, 1023), numbers(precision, largest), tie))
    with np.errstate(all="ignore"):
        found = convert(np.array([x], np.float64), dtype)
    assert float(found[0]) == nearest(Fraction(x), precision, largest)


@each_float
@given(
    x=st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 52).map(lambda k: (1 << 62) + (1 << k) + 1))
)
def test_an_integer_becomes_the_nearest_float(name: str, x: int) -> None:
    dtype, precision, largest = FLOATS[name]
    with np.errstate(all="ignore"):
        found = convert(np.array([x], np.int64), dtype)
    assert float(found[0]) == nearest(Fraction(x), precision, largest)


@each_float
@given(x=st.fractions())
def test_an_exact_number_becomes_the_nearest(name: str, x: Fraction) -> None:
    dtype, precision, largest = FLOATS[name]
    with np.errstate(all="ignore"):
        assert float(round_number(x, dtype)) == nearest(x, precision, largest)
        assert float(round_number(x * 10**40, dtype)) == nearest(x * 10**40, precision, largest)


@pytest.mark.parametrize("integer", ["i1", "u1", "i4", "u4", "i8", "u8"])
@each_float
@given(x=st.one_of(st.floats(width=16), st.floats()))
def test_floats_saturate_in_integers(name: str, integer: str, x: float) -> None:
    dtype, limits = FLOATS[name][0], np.iinfo(integer)
    with np.errstate(all="ignore"):
        value = np.array([x]).astype(dtype)
        found = convert(value, np.dtype(integer))
    real = float(value[0])
    ends: Any = max(int(limits.min), min(int(limits.max), math.trunc(real))) if math.isfinite(real) else None
    infinite = int(limits.max) if real > 0 else int(limits.min)
    assert int(found[0]) == (0 if math.isnan(real) else infinite if ends is None else ends)


def test_integers_wrap_and_infinities_stay() -> None:
    assert convert(np.array([-1, 256, 255], np.int64), np.dtype(np.uint8)).tolist() == [255, 0, 255]
    with np.errstate(all="ignore"):
        assert float(fma(*(np.array([x], np.float32) for x in (math.inf, 1.0, -1.0)))[0]) == math.inf
        assert math.isnan(fma(*(np.array([x], np.float64) for x in (math.inf, 0.0, -1.0)))[0])
    assert float(round_number(0.1, np.dtype(np.float16))) == float(np.float16(0.1))


@pytest.mark.parametrize(("value", "dtype"), [(256, "u1"), (-1, "u8"), (Fraction(1, 2), "i4")])
def test_a_number_that_an_integer_type_lacks_is_refused(value: Any, dtype: str) -> None:
    with pytest.raises(OverflowError):
        round_number(value, np.dtype(dtype))
