"""Operations on numpy scalars and vectors: the rows of `docs/semantics.md`. Independent of the IR.

Every function takes values of one numpy type and returns one of the result's type, so that each operation rounds once.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn

import numpy as np

from rise.complex_numbers import product
from rise.diagnostics import Diagnostic, RiseError
from rise.meanings import At, Context, Elementwise, Pointwise
from rise.primitives import PRIMITIVES, SCALAR_FUNCTIONS, with_trait
from rise.primitives.integers import euclidean_remainder
from rise.rounding import BF16, F32, F64, convert, fma, is_integral


def divide_by_zero() -> NoReturn:
    """Raise the error for an integer division by zero."""
    hint = "divide by a number that is never 0, or choose with `if` before dividing"
    raise RiseError(Diagnostic("division-by-zero", "expected a divisor other than 0, found 0", hint=hint))


def _divide(a: Any, b: Any) -> Any:
    if not is_integral(a.dtype):
        return a / b
    if not np.all(b):
        divide_by_zero()
    # The remainder has the sign of a, and a minus it is a multiple of b.
    return np.floor_divide(np.subtract(a, np.fmod(a, b)), b)


def _remainder(a: Any, b: Any) -> Any:
    if is_integral(a.dtype) and not np.all(b):
        divide_by_zero()
    return np.fmod(a, b)


def _fused(a: Any, b: Any, c: Any) -> Any:
    if is_integral(a.dtype):
        return a * b + c
    if np.ndim(a) or a.dtype in (F64, BF16) or a.dtype.kind == "c":
        return fma(np.asarray(a), np.asarray(b), np.asarray(c))[()]
    # A product of two numbers of at most 24 bits is exact; the sum is rounded to odd, then to nearest.
    product, addend = float(a) * float(b), float(c)
    total = product + addend
    if math.isfinite(total):
        virtual = total - product
        error = (product - (total - virtual)) + (addend - virtual)
        if error and not struct.pack("<d", total)[0] & 1:
            total = math.nextafter(total, math.inf if error > 0 else -math.inf)
    return a.dtype.type(total)


def cast(x: Any, dtype: np.dtype[Any]) -> Any:
    """The nearest number of a type: floats to integers truncate and saturate, NaN gives 0; integers wrap."""
    source = x.dtype
    if source == dtype:
        return x
    if dtype.kind == "b":
        return x != 0
    if source.kind == "b" or (is_integral(source) and (is_integral(dtype) or dtype in (F32, F64))):
        return x.astype(dtype)
    return convert(np.asarray(x), dtype)[()]


def _index_of(name: str) -> Callable[..., Any]:
    """A form of `toIndex` as a function of a number and a size, from the meaning of its primitive."""
    meaning = PRIMITIVES[name].meaning

    def of(number: Any, size: Any) -> Any:
        at = At({"n": int(size)}, Context(), lambda function: None)
        return np.int64(meaning(at, np.asarray(number)))

    return of


def _divided(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(a: Any, b: Any) -> Any:
        if not np.all(b):
            divide_by_zero()
        return np.asarray(function(a, b))[()]

    return of


def _pointwise(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: np.asarray(function(*arguments))[()]


def _of_records() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The primitives whose records define them by one function of numpy or Python."""
    for record in SCALAR_FUNCTIONS:
        match record.meaning:
            case Elementwise(ufunc):
                yield record.name, ufunc
            case Pointwise(function):
                yield record.name, _pointwise(function)


OPERATIONS: Final[Mapping[str, Callable[..., Any]]] = {
    **dict(_of_records()),
    **{name: _index_of(name) for name in with_trait("indexes")},
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: product(a, b)[()] if a.dtype.kind == "c" else a * b,
    "div": _divide,
    "mod": _remainder,
    "floorDiv": _divided(np.floor_divide),
    "floorMod": _divided(np.remainder),
    "euclidMod": _divided(euclidean_remainder),
    "fma": _fused,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "realPart": lambda a: a.real,
    "imagPart": lambda a: a.imag,
}
