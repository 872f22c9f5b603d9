// Functions of mathematics that C lacks or that are rarely used: of probability, Bessel functions, norms, multiples of pi.
// Those that libm has not are computed in double: as float they are exact to the last place or nearly.
#pragma once

SIM_UNARY(j0) SIM_UNARY(j1) SIM_UNARY(y0) SIM_UNARY(y1) SIM_UNARY(logb)
extern "C" double jn(int, double);
extern "C" float jnf(int, float);
extern "C" double yn(int, double);
extern "C" float ynf(int, float);
extern "C" double scalbn(double, int);
extern "C" float scalbnf(float, int);
extern "C" double scalbln(double, long);
extern "C" float scalblnf(float, long);
extern "C" int ilogb(double);
extern "C" int ilogbf(float);
extern "C" long lround(double);
extern "C" long lroundf(float);
extern "C" long long llround(double);
extern "C" long long llroundf(float);
extern "C" long long llrint(double);
extern "C" long long llrintf(float);
SIM_INLINE float jn(int n, float x) { return jnf(n, x); }
SIM_INLINE float yn(int n, float x) { return ynf(n, x); }
SIM_INLINE float scalbn(float x, int e) { return scalbnf(x, e); }
SIM_INLINE float scalbln(float x, long e) { return scalblnf(x, e); }
SIM_INLINE int ilogb(float x) { return ilogbf(x); }
SIM_INLINE long lrint(float x) { return lrintf(x); }
SIM_INLINE long lround(float x) { return lroundf(x); }
SIM_INLINE long long llround(float x) { return llroundf(x); }
SIM_INLINE long long llrint(float x) { return llrintf(x); }
SIM_INLINE double nan(const char *) { return __builtin_nan(""); }
SIM_INLINE float nanf(const char *) { return __builtin_nanf(""); }

// What libm's functions write by pointers, the checks would not see: here they write local variables.
namespace simulator {
extern "C" double remquo(double, double, int *);
extern "C" float remquof(float, float, int *);
SIM_INLINE double quotient_and_rest(double x, double y, int *quotient) { return remquo(x, y, quotient); }
SIM_INLINE float quotient_and_rest(float x, float y, int *quotient) { return remquof(x, y, quotient); }
template <class T> SIM_INLINE T fraction_of(T x, int &exponent) {
  if (x == 0 || !__builtin_isfinite(x)) return x;
  exponent = ilogb(x) + 1;
  return scalbn(x, -exponent);
}
}  // namespace simulator
#define SIM_PARTS(T, f)                                                                                      \
  SIM_INLINE T remquo##f(T x, T y, int *quotient) {                                                          \
    int whole = 0;                                                                                           \
    T rest = simulator::quotient_and_rest(x, y, &whole);                                                     \
    *quotient = whole;                                                                                       \
    return rest;                                                                                             \
  }                                                                                                          \
  SIM_INLINE T frexp##f(T x, int *exponent) {                                                                \
    int e = 0;                                                                                               \
    T fraction = simulator::fraction_of(x, e);                                                               \
    *exponent = e;                                                                                           \
    return fraction;                                                                                         \
  }                                                                                                          \
  SIM_INLINE T modf##f(T x, T *whole) {                                                                      \
    T part = trunc(x);                                                                                       \
    *whole = part;                                                                                           \
    return __builtin_isinf(x) ? copysign((T)0, x) : copysign(x - part, x);                                   \
  }
SIM_PARTS(double, ) SIM_PARTS(float, f)
#undef SIM_PARTS
SIM_INLINE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
SIM_INLINE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
SIM_INLINE float modf(float x, float *whole) { return modff(x, whole); }

namespace simulator {

SIM_INLINE double sine_of_pi(double x) {
  if (!__builtin_isfinite(x)) return __builtin_nan("");
  double rest = x - 2 * rint(x / 2), near = rint(2 * rest), angle = 3.14159265358979323846 * (rest - near / 2);
  if (rest == rint(rest)) return copysign(0.0, x);
  return near == 0 ? sin(angle) : near == 1 ? cos(angle) : near == -1 ? -cos(angle) : -sin(angle);
}
SIM_INLINE double cosine_of_pi(double x) {
  if (!__builtin_isfinite(x)) return __builtin_nan("");
  double rest = x - 2 * rint(x / 2), near = rint(2 * rest), angle = 3.14159265358979323846 * (rest - near / 2);
  if (__builtin_fabs(rest) == 0.5) return 0.0;
  return near == 0 ? cos(angle) : near == 1 ? -sin(angle) : near == -1 ? sin(angle) : -cos(angle);
}

// exp(x * x) * erfc(x); far from 0 by a continued fraction, where erfc has no digits left.
inline double scaled_erfc(double x) {
  if (x < 5) return exp(x * x) * erfc(x);
  double fraction = x;
  for (int k = 60; k > 0; k--) fraction = x + k / 2.0 / fraction;
  return 0.56418958354775628695 / fraction;
}
inline double inverse_erfc(double y);
// The inverse of erf by Newton's method, from Winitzki's approximation; near 1 by erfc, which has more digits there.
inline double inverse_erf(double y) {
  if (!(y > -1 && y < 1)) return y == 1 ? __builtin_inf() : y == -1 ? -__builtin_inf() : __builtin_nan("");
  if (__builtin_fabs(y) > 0.7) return copysign(inverse_erfc(1 - __builtin_fabs(y)), y);
  if (y == 0) return y;
  double l = log1p(-y * y), a = 4.3307467508 + l / 2, x = copysign(sqrt(sqrt(a * a - l / 0.147) - a), y);
  for (int i = 0; i < 4; i++) x -= (erf(x) - y) / (1.12837916709551257390 * exp(-x * x));
  return x;
}
inline double inverse_erfc(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
  if (y >= 0.3) return y > 1.7 ? -inverse_erfc(2 - y) : inverse_erf(1 - y);
  double x = sqrt(-log(y * 1.7724538509055159));
  // On the logarithm, where steps are even for small y.
  for (int i = 0; i < 12; i++) {
    double scaled = scaled_erfc(x);
    x += (log(scaled) - x * x - log(y)) * scaled / 1.12837916709551257390;
  }
  return x;
}

// The modified Bessel functions of the first kind of order 0 and 1, by their series, and far from 0 by asymptotic ones.
inline double bessel_i(int order, double x) {
  double size = __builtin_fabs(x), sum = 1, term = 1;
  if (size > 30) {
    for (int k = 1; k < 40 && __builtin_fabs(term) > 1e-18; k++) {
      double odd = 2 * k - 1, next = -term * (4.0 * order * order - odd * odd) / (8.0 * k * size);
      if (__builtin_fabs(next) > __builtin_fabs(term)) break;
      sum += term = next;
    }
    double half = exp(size / 2);
    sum = half / sqrt(6.28318530717958647692 * size) * sum * half;
  } else {
    for (int k = 1; term > sum * 1e-18; k++) sum += term *= size * size / 4 / k / (k + order);
    if (order) sum *= size / 2;
  }
  return order && x < 0 ? -sum : sum;
}

// The square root of a sum of squares, which neither overflows nor underflows.
inline double norm_of(int count, const double *x) {
  double greatest = 0, sum = 0;
  bool is_nan = false;
  for (int i = 0; i < count; i++) {
    if (__builtin_isinf(x[i])) return __builtin_inf();
    is_nan |= __builtin_isnan(x[i]);
    greatest = fmax(greatest, __builtin_fabs(x[i]));
  }
  if (is_nan) return __builtin_nan("");
  if (greatest == 0) return 0;
  for (int i = 0; i < count; i++) sum += x[i] / greatest * (x[i] / greatest);
  return greatest * sqrt(sum);
}
inline double norm_of(int count, const float *x) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    if (__builtin_isinf(x[i])) return __builtin_inf();
    sum += (double)x[i] * x[i];
  }
  return sqrt(sum);
}
template <class T, class... A> SIM_INLINE double norm_of_all(T first, A... others) {
  const T all[] = {first, others...};
  return norm_of(1 + (int)sizeof...(others), all);
}

}  // namespace simulator

#define SIM_BY_DOUBLE(name, parameters, float_parameters, expression)                                        \
  SIM_INLINE double name parameters { return (expression); }                                                 \
  SIM_INLINE float name##f float_parameters { return (float)(expression); }                                  \
  SIM_INLINE float name float_parameters { return (float)(expression); }
#define SIM_OF_ONE(name, expression) SIM_BY_DOUBLE(name, (double x), (float x), expression)
SIM_OF_ONE(sinpi, simulator::sine_of_pi(x))
SIM_OF_ONE(cospi, simulator::cosine_of_pi(x))
SIM_OF_ONE(rcbrt, 1.0 / cbrt((double)x))
SIM_OF_ONE(normcdf, 0.5 * erfc(-0.70710678118654752440 * x))
SIM_OF_ONE(normcdfinv, -1.41421356237309504880 * simulator::inverse_erfc(2.0 * x))
SIM_OF_ONE(erfinv, simulator::inverse_erf(x))
SIM_OF_ONE(erfcinv, simulator::inverse_erfc(x))
SIM_OF_ONE(erfcx, simulator::scaled_erfc(x))
SIM_OF_ONE(cyl_bessel_i0, simulator::bessel_i(0, x))
SIM_OF_ONE(cyl_bessel_i1, simulator::bessel_i(1, x))
SIM_BY_DOUBLE(rhypot, (double x, double y), (float x, float y), 1.0 / simulator::norm_of_all(x, y))
SIM_BY_DOUBLE(norm3d, (double x, double y, double z), (float x, float y, float z), simulator::norm_of_all(x, y, z))
SIM_BY_DOUBLE(rnorm3d, (double x, double y, double z), (float x, float y, float z), 1.0 / simulator::norm_of_all(x, y, z))
SIM_BY_DOUBLE(norm4d, (double x, double y, double z, double w), (float x, float y, float z, float w),
              simulator::norm_of_all(x, y, z, w))
SIM_BY_DOUBLE(rnorm4d, (double x, double y, double z, double w), (float x, float y, float z, float w),
              1.0 / simulator::norm_of_all(x, y, z, w))
SIM_BY_DOUBLE(norm, (int count, const double *x), (int count, const float *x), simulator::norm_of(count, x))
SIM_BY_DOUBLE(rnorm, (int count, const double *x), (int count, const float *x), 1.0 / simulator::norm_of(count, x))
#undef SIM_OF_ONE
#undef SIM_BY_DOUBLE

#define SIM_PAIR(T, f)                                                                                       \
  SIM_INLINE void sincospi##f(T x, T *s, T *c) { *s = sinpi(x), *c = cospi(x); }
SIM_PAIR(double, ) SIM_PAIR(float, f)
#undef SIM_PAIR
SIM_INLINE void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
SIM_INLINE float __tanhf(float x) { return tanhf(x); }
