"""Complex numbers and their parts: one record per operation. Independent of arrays.

Sums, products and comparisons of complex numbers are the operations of `rise.primitives.arithmetic`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.arguments.sizes import dtype_of
from rise.complex_numbers import conjugate, joined
from rise.meanings import At, Pointwise
from rise.primitives.record import PrimitiveRecord
from rise.primitives.related_types import refuse_unrelated
from rise.values import Leaf


def _complex(at: At, real: Leaf, imaginary: Leaf) -> Leaf:
    refuse_unrelated("parts", (at.t, at.s))
    return joined(real, imaginary, dtype=dtype_of(at.t))


def _real(at: At, a: Leaf) -> Leaf:
    refuse_unrelated("parts", (at.t, at.s))
    return np.asarray(a.real)


def _imaginary(at: At, a: Leaf) -> Leaf:
    refuse_unrelated("parts", (at.t, at.s))
    return np.asarray(a.imag)


COMPLEX: Final = (
    PrimitiveRecord(
        "makeComplex",
        "{t: complex} -> {s: floating} -> s -> s -> t",
        "low",
        "The complex number with the real part a and the imaginary part b: `c64` of f32, `c128` of f64.",
        _complex,
        "makeComplex (realPart a) (imagPart a) = a",
        example="complex(1.0, -2.0)",
        relation="parts",
        traits=("unrounded",),
        spellings=("complex",),
        result="number",
    ),
    PrimitiveRecord(
        "realPart",
        "{t: floating} -> {s: complex} -> s -> t",
        "low",
        "The real part of a complex number.",
        _real,
        "realPart (makeComplex a b) = a",
        example="realPart(complex(1.0, -2.0))",
        relation="parts",
        traits=("unrounded",),
        result="real",
    ),
    PrimitiveRecord(
        "imagPart",
        "{t: floating} -> {s: complex} -> s -> t",
        "low",
        "The imaginary part of a complex number.",
        _imaginary,
        "imagPart (makeComplex a b) = b",
        example="imagPart(complex(1.0, -2.0))",
        relation="parts",
        traits=("unrounded",),
        result="imaginary",
    ),
    PrimitiveRecord(
        "conj",
        "{t: complex} -> t -> t",
        "low",
        "The complex conjugate: the imaginary part is negated.",
        Pointwise(conjugate),
        "conj (conj a) = a",
        example="conj(complex(1.0, -2.0))",
        traits=("unrounded",),
        result="conjugate",
    ),
)
