"""The error function in C. Independent of programs.

erf(a) = a + a p(a^2) for a < 1. For larger a it is 1 - e^-q(a - 1) with a polynomial q, whose error matters less the
closer erf is to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import ERF_FAR_F32, ERF_FAR_F64, ERF_NEAR_F32, ERF_NEAR_F64
from shine.targets.c.elementary.piece import Piece, function, polynomial

ERROR_FUNCTION: Final[Mapping[str, Piece]] = {
    "erf_f64": function(
        """double erf_f64(double x) {
  const double a = fabs(x), z = a * a, t = a > 6.0 ? 5.0 : a - 1.0;
$p
$q
  return copysign(a < 1.0 ? fma(a, p, a) : 1.0 - scaled_exp_f64(-q, 0.0, 0.0), x);
}""",
        "scaled_exp_f64",
        units=1.5,
        p=polynomial("p", "z", ERF_NEAR_F64),
        q=polynomial("q", "t", ERF_FAR_F64),
    ),
    "erf_f32": function(
        """float erf_f32(float x) {
  const float a = fabsf(x), z = a * a, t = a > 4.0f ? 3.0f : a - 1.0f;
$p
$q
  return copysignf(a < 1.0f ? fmaf(a, p, a) : 1.0f - exp_f32(-q), x);
}""",
        "exp_f32",
        units=1.1,
        p=polynomial("p", "z", ERF_NEAR_F32, "f"),
        q=polynomial("q", "t", ERF_FAR_F32, "f"),
    ),
}
