// Arithmetic and conversions that round toward zero, downward or upward: __fadd_rz, __double2float_rd and so on.
// The result that is nearest is moved to its neighbour where the exact one lies on the other side. The sign of the
// difference comes from what rounding left: sums and products of float are exact in double, those of double in two parts.
#pragma once

namespace simulator {

enum Direction { NEAREST, ZERO, DOWN, UP };

// `error` has the sign of the exact result less the nearest.
template <class T> SIM_INLINE T directed(T nearest, T error, Direction direction) {
  bool is_below = error < 0 && (direction == DOWN || (direction == ZERO && nearest > 0));
  bool is_above = error > 0 && (direction == UP || (direction == ZERO && nearest < 0));
  if (!is_below && !is_above) return nearest;
  T end = is_below ? -(T)__builtin_inf() : (T)__builtin_inf();
  return sizeof(T) == 4 ? (T)nextafterf((float)nearest, (float)end) : (T)nextafter((double)nearest, (double)end);
}
template <class T> SIM_INLINE bool is_finite(T x) { return __builtin_isfinite(x); }
SIM_INLINE double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// What is left of a + b beside their rounded sum; exact.
SIM_INLINE double rest_of_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part);
}
// The sign of a sum of three parts, of which the first is the rounded sum of all of the greater ones.
SIM_INLINE double sign_of_sum(double a, double b, double c) {
  double sum = a + b, rest = rest_of_sum(a, b), all = sum + c;
  return sign_of(all + (rest + rest_of_sum(sum, c)));
}
SIM_INLINE double beyond(double nearest) { return nearest > 0 ? -1 : 1; }  // an infinite result of finite operands

SIM_INLINE float fused_towards(float x, float y, float z, Direction d) {
  float nearest = fmaf(x, y, z);
  if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, (float)beyond(nearest), d);
  double product = (double)x * y, sum = product + z;
  if (sum == 0 && product != 0) return d == DOWN ? -0.0f : 0.0f;
  return directed(nearest, (float)sign_of_sum(sum - nearest, rest_of_sum(product, z), 0), d);
}
SIM_INLINE double fused_towards(double x, double y, double z, Direction d) {
  double nearest = fma(x, y, z);
  if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, beyond(nearest), d);
  // Operands are scaled so that no part of the product is lost.
  int ex, ey;
  double mx = frexp(x, &ex), my = frexp(y, &ey), high = mx * my, low = fma(mx, my, -high);
  int scale = ex + ey;
  if (high == 0) return nearest;
  double sz = ldexp(z, -scale), sn = ldexp(nearest, -scale);
  if (!is_finite(sz)) return directed(nearest, sign_of(high), d);  // the product is beyond the last digit
  if (z != 0 && __builtin_fabs(sz) < 0x1p-200) return directed(nearest, sign_of_sum(high - sn, low, sign_of(z) * 0x1p-300), d);
  if (high + sz == 0 && low == 0) return d == DOWN ? -0.0 : 0.0;
  double sum = high + sz;
  return directed(nearest, sign_of_sum(sum - sn, rest_of_sum(high, sz), low), d);
}
template <class T> SIM_INLINE T sum_towards(T x, T y, Direction d) {
  T nearest = x + y;
  if (!is_finite(x) || !is_finite(y)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, (T)beyond(nearest), d);
  if (nearest == 0 && x != 0) return d == DOWN ? (T)-0.0 : (T)0.0;
  double sum = (double)x + y;
  return directed(nearest, (T)sign_of_sum(sum - nearest, rest_of_sum(x, y), 0), d);
}
SIM_INLINE float product_towards(float x, float y, Direction d) {
  float nearest = x * y;
  if (!is_finite(x) || !is_finite(y)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, (float)beyond(nearest), d);
  return directed(nearest, (float)sign_of((double)x * y - nearest), d);
}
SIM_INLINE double product_towards(double x, double y, Direction d) {
  double nearest = x * y;
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return nearest;
  if (!is_finite(nearest)) return directed(nearest, beyond(nearest), d);
  int ex, ey;
  double mx = frexp(x, &ex), my = frexp(y, &ey);
  return directed(nearest, sign_of(fma(mx, my, -ldexp(nearest, -ex - ey))), d);
}
SIM_INLINE double quotient_towards(double x, double y, double nearest, Direction d) {
  int ex, ey, en;
  double mx = frexp(x, &ex), my = frexp(y, &ey), mn = frexp(nearest, &en);
  if (nearest == 0) return sign_of(x) * sign_of(y);
  return sign_of(fma(-mn, my, ldexp(mx, ex - ey - en))) * sign_of(y);
}
template <class T> SIM_INLINE T divided_towards(T x, T y, Direction d) {
  T nearest = x / y;
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return nearest;
  if (!is_finite(nearest)) return directed(nearest, (T)beyond(nearest), d);
  return directed(nearest, (T)quotient_towards(x, y, nearest, d), d);
}
template <class T> SIM_INLINE T root_towards(T x, Direction d) {
  T nearest = sizeof(T) == 4 ? (T)sqrtf((float)x) : (T)sqrt((double)x);
  if (!(x > 0) || !is_finite(x)) return nearest;
  int ex, en;
  double mx = frexp((double)x, &ex), mn = frexp((double)nearest, &en);
  return directed(nearest, (T)sign_of(fma(-mn, mn, ldexp(mx, ex - 2 * en))), d);
}
SIM_INLINE float narrowed_towards(double x, Direction d) {
  float nearest = (float)x;
  if (!is_finite(x)) return nearest;
  if (!is_finite(nearest)) return directed(nearest, (float)beyond(nearest), d);
  return directed(nearest, (float)sign_of(x - nearest), d);
}
// Integers of 64 bits: the upper and the lower half are exact, and so is what a rounded sum leaves.
template <class T> SIM_INLINE T converted_towards(double high, double low, Direction d) {
  T nearest = (T)(high + low);
  if (sizeof(T) == 4) {  // rounded once, though by way of a double: the rest decides ties
    double sum = high + low, rest = rest_of_sum(high, low);
    if (rest != 0) {
      unsigned long long bits = bits_as<unsigned long long>(sum);
      if (!(bits & 1)) sum = bits_as<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
      nearest = (T)sum;
    }
  }
  double sum = high + low;
  return directed(nearest, (T)sign_of_sum(sum - (double)nearest, rest_of_sum(high, low), 0), d);
}
template <class T> SIM_INLINE T converted_towards(long long x, Direction d) {
  return converted_towards<T>((double)(x >> 32) * 0x1p32, (double)(unsigned)x, d);
}
template <class T> SIM_INLINE T converted_towards(unsigned long long x, Direction d) {
  return converted_towards<T>((double)(unsigned)(x >> 32) * 0x1p32, (double)(unsigned)x, d);
}

}  // namespace simulator

#define SIM_DIRECTED(suffix, direction)                                                                      \
  SIM_INLINE float __fadd_##suffix(float x, float y) { return simulator::sum_towards(x, y, simulator::direction); }      \
  SIM_INLINE float __fsub_##suffix(float x, float y) { return simulator::sum_towards(x, -y, simulator::direction); }     \
  SIM_INLINE float __fmul_##suffix(float x, float y) { return simulator::product_towards(x, y, simulator::direction); }  \
  SIM_INLINE float __fdiv_##suffix(float x, float y) { return simulator::divided_towards(x, y, simulator::direction); }  \
  SIM_INLINE float __frcp_##suffix(float x) { return simulator::divided_towards(1.0f, x, simulator::direction); }        \
  SIM_INLINE float __fsqrt_##suffix(float x) { return simulator::root_towards(x, simulator::direction); }                \
  SIM_INLINE float __fmaf_##suffix(float x, float y, float z) {                                              \
    return simulator::fused_towards(x, y, z, simulator::direction);                                          \
  }                                                                                                          \
  SIM_INLINE double __dadd_##suffix(double x, double y) { return simulator::sum_towards(x, y, simulator::direction); }     \
  SIM_INLINE double __dsub_##suffix(double x, double y) { return simulator::sum_towards(x, -y, simulator::direction); }    \
  SIM_INLINE double __dmul_##suffix(double x, double y) { return simulator::product_towards(x, y, simulator::direction); } \
  SIM_INLINE double __ddiv_##suffix(double x, double y) { return simulator::divided_towards(x, y, simulator::direction); } \
  SIM_INLINE double __drcp_##suffix(double x) { return simulator::divided_towards(1.0, x, simulator::direction); }         \
  SIM_INLINE double __dsqrt_##suffix(double x) { return simulator::root_towards(x, simulator::direction); }                \
  SIM_INLINE double __fma_##suffix(double x, double y, double z) {                                           \
    return simulator::fused_towards(x, y, z, simulator::direction);                                          \
  }                                                                                                          \
  SIM_INLINE float __fmaf_ieee_##suffix(float x, float y, float z) { return __fmaf_##suffix(x, y, z); }      \
  SIM_INLINE float __double2float_##suffix(double x) { return simulator::narrowed_towards(x, simulator::direction); }      \
  SIM_INLINE float __int2float_##suffix(int x) { return simulator::narrowed_towards((double)x, simulator::direction); }    \
  SIM_INLINE float __uint2float_##suffix(unsigned x) { return simulator::narrowed_towards((double)x, simulator::direction); } \
  SIM_INLINE float __ll2float_##suffix(long long x) { return simulator::converted_towards<float>(x, simulator::direction); }  \
  SIM_INLINE float __ull2float_##suffix(unsigned long long x) {                                              \
    return simulator::converted_towards<float>(x, simulator::direction);                                     \
  }                                                                                                          \
  SIM_INLINE double __ll2double_##suffix(long long x) { return simulator::converted_towards<double>(x, simulator::direction); } \
  SIM_INLINE double __ull2double_##suffix(unsigned long long x) {                                            \
    return simulator::converted_towards<double>(x, simulator::direction);                                    \
  }
SIM_DIRECTED(rz, ZERO) SIM_DIRECTED(rd, DOWN) SIM_DIRECTED(ru, UP)
#undef SIM_DIRECTED
SIM_INLINE float __fmaf_ieee_rn(float x, float y, float z) { return fmaf(x, y, z); }
