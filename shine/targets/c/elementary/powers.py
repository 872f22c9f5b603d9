"""Powers of f64, cube roots, hypotenuses and remainders in C. Independent of programs.

a^b = e^(b log a), with log a and the product in two parts each, with a relative error of about 2^-64. Special cases of
powers are selected by masks of bits: compilers would combine conditions with those of the operands, for example in
`np.clip(x, 0, 1) ** 0.45`, to branches that they do not vectorise.

Remainders are exact. With q the rounded quotient without its fraction, a - q b is a number of the type, if q is; it is
negative if the quotient was rounded to the next integer. Larger quotients are left to the library, which subtracts bit
by bit: several times as slow, and not vectorised either. Smaller numbers than the divisor take no other path than the
rest, since a processor would not predict it: `(x + np.pi) % (2 * np.pi)` took five times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shine.targets.c.elementary.numbers import CBRT_F64
from shine.targets.c.elementary.piece import Piece, function, polynomial


def _remainder(t: str, c: str, suffix: str, bits: int) -> Piece:
    return function(
        f"""{c} mod_{t}({c} x, {c} y) {{ // exact
  const {c} a = fabs{suffix}(x), b = fabs{suffix}(y), q = trunc{suffix}(a / b);
  if (!(q < 0x1p{bits}{suffix}) || b == INFINITY) return fmod{suffix}(x, y);
  const {c} r = fma{suffix}(-q, b, a);
  return copysign{suffix}(r < 0.0{suffix} ? r + b : r, x);
}}"""
    )


POWERS: Final[Mapping[str, Piece]] = {
    "pow_f64": function(
        """double pow_f64(double x, double y) {
  const double a = fabs(x);
  double m, low;
  const double k = split_f64(a, &m), part = long_log_f64(m, &low);
  const double whole = k * $LOG_2_SHORT_0, high = whole + part;
  low += fma(k, $LOG_2_SHORT_1, (whole - high) + part);
  const double log_a = high + end_of_log_f64(a);
  double p = y * log_a;
  const double p_low = fma(y, log_a, -p) + y * low;
  const uint64_t is_one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (y - y != 0.0) & (y == y));
  const uint64_t is_usual = (fabs(p) < 800.0) & ~is_one;
  p = p > 800.0 ? 800.0 : p;
  p = p < -800.0 ? -800.0 : p;
  p = f64_of_bits(bits_of_f64(p) & (is_one - 1));
  double r = scaled_exp_f64(p, f64_of_bits(bits_of_f64(p_low) & -is_usual), 0.0);
  const double half = y * 0.5, nearest = rint(y);
  const uint64_t odd = (nearest == y) & (rint(half) != half), broken = (nearest != y) & (x < 0.0) & (a < INFINITY);
  r += f64_of_bits(-broken & 0x7ff8000000000000);
  return f64_of_bits(bits_of_f64(r) | (bits_of_f64(x) & odd << 63));
}""",
        "split_f64",
        "long_log_f64",
        "end_of_log_f64",
        "scaled_exp_f64",
        units=1.5,
    ),
    "cbrt_f64": function(
        """double cbrt_f64(double x) { // of 2^(3 n + i) m, i from -1 to 1; one step of Halley's iteration
  const double a = fabs(x);
  double m;
  const double k = split_f64(a, &m), n = fma(k, 0x1.5555555555555p-2, $round) - $round, i = fma(-3.0, n, k);
  const double f = m - 1.0;
$q
  const double root = i == 0.0 ? 1.0 : i > 0.0 ? 0x1.428a2f98d728bp+0 : 0x1.965fea53d6e3dp-1;
  const double t = q * root, b = m * power_of_2_f64(i), square = t * t;
  const double excess = fma(square, t, -b) + fma(t, t, -square) * t;
  const double y = (t - t * excess / fma(2.0 * square, t, b)) * power_of_2_f64(n);
  return x == 0.0 || a - a != 0.0 ? x : copysign(y, x);
}""",
        "split_f64",
        "power_of_2_f64",
        units=0.51,
        q=polynomial("q", "f", CBRT_F64),
    ),
    "hypot_f64": function(
        """double hypot_f64(double x, double y) { // scaled by a power of 2: the larger number is near 1
  const double a = fabs(x), b = fabs(y);
  const int64_t p = bits_of_f64(a), q = bits_of_f64(b), most = (p > q ? p : q) & 0x7ff0000000000000;
  const int64_t normal = most > 0x0010000000000000 ? most : 0x0010000000000000;
  const int64_t power = normal < 0x7fd0000000000000 ? normal : 0x7fd0000000000000;
  const double scale = f64_of_bits(0x7fe0000000000000 - power), c = a * scale, d = b * scale;
  const double r = sqrt(fma(c, c, d * d)) * f64_of_bits(power);
  return (a == INFINITY) | (b == INFINITY) ? INFINITY : r;
}""",
        "bits_of_f64",
        "f64_of_bits",
        units=1.5,
    ),
    "hypot_f32": function(
        """float hypot_f32(float x, float y) { // squares of f32 are numbers of f64
  const float a = fabsf(y) == INFINITY ? y : x, b = fabsf(x) == INFINITY ? x : y;
  return (float)sqrt(fma((double)a, (double)a, (double)b * b));
}""",
        units=0.51,
    ),
    "mod_f64": _remainder("f64", "double", "", 52),
    "mod_f32": _remainder("f32", "float", "f", 23),
}
