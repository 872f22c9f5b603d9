"""Exponential and hyperbolic functions of f64 in C. Independent of programs.

Cody and Waite's reduction: x = n log 2 + r, n an integer, |r| <= log(2) / 2; the product of n and the first part of log
2 is exact. Then e^r = 1 + r + r^2 q(r). The result is multiplied by 2^n in two steps, since 2^n may overflow or
underflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import EXP2_F64, EXP_F64, SINH_F64
from shine.targets.c.elementary.piece import Piece, function, polynomial

PARTS: Final[Mapping[str, Piece]] = {
    "bits_of_f64": function(
        "uint64_t bits_of_f64(double a) {\n  union { double value; uint64_t bits; } r = {a};\n  return r.bits;\n}"
    ),
    "f64_of_bits": function(
        "double f64_of_bits(uint64_t a) {\n  union { uint64_t bits; double value; } r = {a};\n  return r.value;\n}"
    ),
    "power_of_2_f64": function(
        """double power_of_2_f64(double n) { // n whole, from -1022 to 1023; the sum ends in the bits of n + 1023
  return f64_of_bits(bits_of_f64(n + 0x1.80000000003ffp52) << 52);
}""",
        "bits_of_f64",
        "f64_of_bits",
    ),
    "scaled_exp_f64": function(
        """double scaled_exp_f64(double x, double low, double k) { // e^(x + low) 2^k, k whole; |x| < 1000 or x is NaN
  const double n = fma(x, $LOG2_E_0, $round) - $round;
  const double r = fma(-n, $LOG_2_SHORT_1, fma(-n, $LOG_2_SHORT_0, x)) + low;
$q
  const double m = n + k, half = fma(m, 0.5, $round) - $round;
  return (fma(r * r, q, r) + 1.0) * power_of_2_f64(half) * power_of_2_f64(m - half);
}""",
        "power_of_2_f64",
        q=polynomial("q", "r", EXP_F64),
    ),
}
EXPONENTIALS: Final[Mapping[str, Piece]] = {
    "exp_f64": function(
        """double exp_f64(double x) {
  x = x > 710.0 ? 710.0 : x;
  x = x < -750.0 ? -750.0 : x;
  return scaled_exp_f64(x, 0.0, 0.0);
}""",
        "scaled_exp_f64",
        units=1,
    ),
    "exp2_f64": function(
        """double exp2_f64(double x) {
  x = x > 1100.0 ? 1100.0 : x;
  x = x < -1100.0 ? -1100.0 : x;
  const double n = x + $round - $round, r = x - n;
$q
  const double half = fma(n, 0.5, $round) - $round;
  return (fma(r, $LOG_2_0, r * r * q) + 1.0) * power_of_2_f64(half) * power_of_2_f64(n - half);
}""",
        "power_of_2_f64",
        units=1,
        q=polynomial("q", "r", EXP2_F64),
    ),
    "expm1_f64": function(
        """double expm1_f64(double x) { // 2^n e^r - 1 = 2^n (e^r - 1) + (2^n - 1), at half the size
  double a = x > 710.0 ? 710.0 : x;
  a = a < -40.0 ? -40.0 : a;
  const double n = fma(a, $LOG2_E_0, $round) - $round;
  const double high = fma(-n, $LOG_2_SHORT_0, a), r = fma(-n, $LOG_2_SHORT_1, high);
  const double low = fma(-n, $LOG_2_SHORT_1, high - r);
$q
  const double scale = power_of_2_f64(n - 1.0);
  const double y = fma(scale, r + fma(r * r, q, low), scale - 0.5) * 2.0;
  return x == 0.0 ? x : y;
}""",
        "power_of_2_f64",
        units=2,
        q=polynomial("q", "r", EXP_F64),
    ),
    "sinh_f64": function(
        """double sinh_f64(double x) {
  const double a = fabs(x), z = a * a;
$q
  const double half = scaled_exp_f64(a > 720.0 ? 720.0 : a, 0.0, -1.0);
  return copysign(a < 1.0 ? fma(a * z, q, a) : half - 0.25 / half, x);
}""",
        "scaled_exp_f64",
        units=2,
        q=polynomial("q", "z", SINH_F64),
    ),
    "cosh_f64": function(
        """double cosh_f64(double x) {
  const double a = fabs(x);
  const double half = scaled_exp_f64(a > 720.0 ? 720.0 : a, 0.0, -1.0);
  return half + 0.25 / half;
}""",
        "scaled_exp_f64",
        units=2,
    ),
    "tanh_f64": function(
        """double tanh_f64(double x) {
  const double a = fabs(x), e = expm1_f64(a > 22.0 ? 44.0 : a + a);
  return copysign(e / (e + 2.0), x);
}""",
        "expm1_f64",
        units=3,
    ),
}
