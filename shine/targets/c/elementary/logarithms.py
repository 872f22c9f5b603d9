"""Logarithms and inverse hyperbolic functions of f64 in C. Independent of programs.

x = 2^k m, m in [sqrt(1/2), sqrt(2)); with f = m - 1 and s = f / (2 + f), log m = 2 s + s^3 q(s^2), evaluated in the
order of fdlibm's `e_log.c`. For other bases, log m and its product with a constant are represented in two parts; `pow`
needs a more precise log m.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import LOG_F64, LOG_TAIL_F64
from shine.targets.c.elementary.piece import Piece, function, polynomial

PARTS: Final[Mapping[str, Piece]] = {
    "split_f64": function(
        """double split_f64(double x, double *m) { // x = m 2^k, m from sqrt(1/2) to sqrt(2); returns k
  const bool is_small = x < 0x1p-1022;
  const uint64_t bits = bits_of_f64(is_small ? x * 0x1p54 : x) + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
  *m = f64_of_bits((bits & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
  return f64_of_bits(bits >> 52 | 0x4330000000000000) - (is_small ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
}""",
        "bits_of_f64",
        "f64_of_bits",
    ),
    "log_of_parts_f64": function(
        """double log_of_parts_f64(double k, double f) { // log(2^k (1 + f))
  const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
$q
  return fma(k, $LOG_2_SHORT_0, f - (half - fma(s, fma(z, q, half), k * $LOG_2_SHORT_1)));
}""",
        q=polynomial("q", "z", LOG_F64),
    ),
    "log_in_parts_f64": function(
        """double log_in_parts_f64(double f, double *low) { // log(1 + f), in two parts of together about 2^-57
  const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f, high = f - half;
$q
  *low = (f - high) - half + s * fma(z, q, half);
  return high;
}""",
        q=polynomial("q", "z", LOG_F64),
    ),
    "long_log_f64": function(
        """double long_log_f64(double m, double *low) { // log m = 2 s (1 + s^2 / 3 + s^4 q(s^2)), in two parts
  const double f = m - 1.0, d = m + 1.0, inverse = 1.0 / d;
  const double s = f * inverse, s_low = (fma(-s, d, f) - s * (m - (d - 1.0))) * inverse;
  const double z = s * s, z_low = fma(s, s, -z) + 2.0 * s * s_low;
$q
  const double t = z * $THIRD_0, t_low = fma(z, $THIRD_0, -t) + z * $THIRD_1 + z_low * $THIRD_0, tail = z * z * q;
  const double v = t + tail, v_low = (t - v) + tail + t_low;
  const double w = 2.0 * s, p = w * v, p_low = fma(w, v, -p) + fma(w, v_low, 2.0 * s_low * v);
  const double high = w + p;
  *low = (w - high) + p + (p_low + 2.0 * s_low);
  return high;
}""",
        q=polynomial("q", "z", LOG_TAIL_F64),
    ),
    # added, and of masks: of a choice between constants gcc makes a branch if comparisons follow, as in conversions to
    # f16, and one loop for each case if x is the same in all iterations, none of which it vectorises
    "end_of_log_f64": function(
        """double end_of_log_f64(double x) { // what to add to a logarithm of x, for what is no positive number
  const uint64_t is_zero = x == 0.0, is_infinite = x == INFINITY, has_none = !(x >= 0.0);
  const uint64_t infinity = (-is_zero & 0xfff0000000000000) | (-is_infinite & 0x7ff0000000000000);
  return f64_of_bits(infinity | (-has_none & 0x7ff8000000000000));
}""",
        "f64_of_bits",
    ),
}
LOGARITHMS: Final[Mapping[str, Piece]] = {
    "log_f64": function(
        """double log_f64(double x) {
  double m;
  const double k = split_f64(x, &m);
  return log_of_parts_f64(k, m - 1.0) + end_of_log_f64(x);
}""",
        "split_f64",
        "log_of_parts_f64",
        "end_of_log_f64",
        units=1,
    ),
    "log1p_f64": function(
        """double log1p_f64(double x) { // log(u + c), u = 1 + x rounded and c what the rounding lost
  const double u = 1.0 + x, lost = u - 1.0, c = (1.0 - (u - lost)) + (x - lost);
  double m;
  const double k = split_f64(u, &m);
  const double y = log_of_parts_f64(k, m - 1.0 + (k < 100.0 ? c * power_of_2_f64(-k) : 0.0));
  return x == 0.0 ? x : y + end_of_log_f64(u);
}""",
        "split_f64",
        "power_of_2_f64",
        "log_of_parts_f64",
        "end_of_log_f64",
        units=1.5,
    ),
    "log2_f64": function(
        """double log2_f64(double x) {
  double m, low;
  const double k = split_f64(x, &m), high = log_in_parts_f64(m - 1.0, &low);
  const double p = high * $LOG2_E_0, p_low = fma(high, $LOG2_E_0, -p) + fma(high, $LOG2_E_1, low * $LOG2_E_0);
  const double y = k + p;
  return y + ((k - y) + p + p_low) + end_of_log_f64(x);
}""",
        "split_f64",
        "log_in_parts_f64",
        "end_of_log_f64",
        units=1,
    ),
    "log10_f64": function(
        """double log10_f64(double x) {
  double m, low;
  const double k = split_f64(x, &m), high = log_in_parts_f64(m - 1.0, &low);
  const double p = high * $LOG10_E_0, p_low = fma(high, $LOG10_E_0, -p) + fma(high, $LOG10_E_1, low * $LOG10_E_0);
  const double a = k * $LOG10_2_SHORT_0, y = a + p;
  return y + ((a - y) + p + fma(k, $LOG10_2_SHORT_1, p_low)) + end_of_log_f64(x);
}""",
        "split_f64",
        "log_in_parts_f64",
        "end_of_log_f64",
        units=1,
    ),
    "asinh_f64": function(
        """double asinh_f64(double x) {
  const double a = fabs(x), z = a * a;
  const bool is_large = a > 0x1p60;
  const double y = log1p_f64(is_large ? a : a + z / (1.0 + sqrt(z + 1.0)));
  return copysign(y + (is_large ? $LOG_2_0 : 0.0), x);
}""",
        "log1p_f64",
        units=3,
    ),
    "acosh_f64": function(
        """double acosh_f64(double x) {
  const double t = x - 1.0;
  const bool is_large = x > 0x1p60;
  const double y = log1p_f64(is_large ? x : t + sqrt(t * (t + 2.0)));
  return y + (is_large ? $LOG_2_0 : x < 1.0 ? NAN : 0.0);
}""",
        "log1p_f64",
        units=3.5,
    ),
    "atanh_f64": function(
        """double atanh_f64(double x) {
  const double a = fabs(x), t = a + a;
  return copysign(0.5 * log1p_f64(t + t * a / (1.0 - a)) + (a > 1.0 ? NAN : 0.0), x);
}""",
        "log1p_f64",
        units=3,
    ),
}
