// CUDA's mathematical functions, by those of the system's libm: correctly rounded where CUDA's are, else within a
// few units in the last place of the exact result, as CUDA's are, but with last digits of their own.
#pragma once

namespace simulator {
// The result of a function of numbers of different types, or of integers, is double, as in C++.
template <class T> struct IsNumber {
  static constexpr bool value = false;
};
#define SIM_IS_NUMBER(T)                                                                                     \
  template <> struct IsNumber<T> {                                                                           \
    static constexpr bool value = true;                                                                      \
  };
SIM_IS_NUMBER(bool) SIM_IS_NUMBER(char) SIM_IS_NUMBER(signed char) SIM_IS_NUMBER(unsigned char) SIM_IS_NUMBER(short)
SIM_IS_NUMBER(unsigned short) SIM_IS_NUMBER(int) SIM_IS_NUMBER(unsigned) SIM_IS_NUMBER(long) SIM_IS_NUMBER(unsigned long)
SIM_IS_NUMBER(long long) SIM_IS_NUMBER(unsigned long long) SIM_IS_NUMBER(float) SIM_IS_NUMBER(double)
#undef SIM_IS_NUMBER
template <class T> constexpr bool is_float = !IsNumber<T>::value || (T)0.5 != (T)0;
template <bool> struct DoubleIf {};
template <> struct DoubleIf<true> {
  typedef double Type;
};
template <class T> using DoubleOfInteger = typename DoubleIf<!is_float<T>>::Type;
template <class T> struct IsFloat {
  static constexpr bool value = false;
};
template <> struct IsFloat<float> {
  static constexpr bool value = true;
};
template <class T, class U> constexpr bool are_mixed = IsNumber<T>::value && IsNumber<U>::value && !(IsFloat<T>::value && IsFloat<U>::value);
template <class T, class U> using DoubleOfMixed = typename DoubleIf<are_mixed<T, U>>::Type;
}  // namespace simulator

#define SIM_UNARY(name)                                                                                      \
  extern "C" double name(double);                                                                            \
  extern "C" float name##f(float);                                                                           \
  SIM_INLINE float name(float x) { return name##f(x); }                                                      \
  template <class T> SIM_INLINE simulator::DoubleOfInteger<T> name(T x) { return name((double)x); }
SIM_UNARY(sqrt) SIM_UNARY(cbrt) SIM_UNARY(exp) SIM_UNARY(exp2) SIM_UNARY(expm1) SIM_UNARY(log) SIM_UNARY(log2)
SIM_UNARY(log10) SIM_UNARY(log1p) SIM_UNARY(sin) SIM_UNARY(cos) SIM_UNARY(tan) SIM_UNARY(asin) SIM_UNARY(acos)
SIM_UNARY(atan) SIM_UNARY(sinh) SIM_UNARY(cosh) SIM_UNARY(tanh) SIM_UNARY(asinh) SIM_UNARY(acosh) SIM_UNARY(atanh)
SIM_UNARY(erf) SIM_UNARY(erfc) SIM_UNARY(tgamma) SIM_UNARY(lgamma) SIM_UNARY(floor) SIM_UNARY(ceil)
SIM_UNARY(trunc) SIM_UNARY(round) SIM_UNARY(rint) SIM_UNARY(nearbyint) SIM_UNARY(fabs)
#define SIM_BINARY(name)                                                                                     \
  extern "C" double name(double, double);                                                                    \
  extern "C" float name##f(float, float);                                                                    \
  SIM_INLINE float name(float x, float y) { return name##f(x, y); }                                          \
  template <class T, class U> SIM_INLINE simulator::DoubleOfMixed<T, U> name(T x, U y) {                     \
    return name((double)x, (double)y);                                                                       \
  }
SIM_BINARY(pow) SIM_BINARY(atan2) SIM_BINARY(fmod) SIM_BINARY(remainder) SIM_BINARY(hypot) SIM_BINARY(copysign)
SIM_BINARY(fmin) SIM_BINARY(fmax) SIM_BINARY(fdim) SIM_BINARY(nextafter)
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
extern "C" double ldexp(double, int);
extern "C" float ldexpf(float, int);
namespace simulator {  // for compilers, which join calls of sin and cos
extern "C" void sincos(double, double *, double *);
extern "C" void sincosf(float, float *, float *);
}  // namespace simulator
SIM_INLINE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
SIM_INLINE void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
SIM_INLINE void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
extern "C" long lrint(double);
extern "C" long lrintf(float);
SIM_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
SIM_INLINE float ldexp(float x, int e) { return ldexpf(x, e); }
SIM_INLINE double exp10(double x) { return pow(10.0, x); }
SIM_INLINE float exp10f(float x) { return (float)pow(10.0, (double)x); }
SIM_INLINE float rsqrtf(float x) { return (float)(1.0 / sqrt((double)x)); }
SIM_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
SIM_INLINE float rsqrt(float x) { return rsqrtf(x); }

#define SIM_CLASSES(T)                                                                                       \
  SIM_INLINE bool isnan(T x) { return __builtin_isnan(x); }                                                  \
  SIM_INLINE bool isinf(T x) { return __builtin_isinf(x); }                                                  \
  SIM_INLINE bool isfinite(T x) { return __builtin_isfinite(x); }                                            \
  SIM_INLINE bool signbit(T x) { return __builtin_signbit(x); }
SIM_CLASSES(float)
SIM_CLASSES(double)
SIM_INLINE int __isnan(float x) { return __builtin_isnan(x); }
SIM_INLINE int __isinf(float x) { return __builtin_isinf(x); }
SIM_INLINE int __isinf(double x) { return __builtin_isinf(x); }
SIM_INLINE int __finite(double x) { return __builtin_isfinite(x); }
SIM_INLINE int __signbitf(float x) { return __builtin_signbit(x) != 0; }
SIM_INLINE int __signbit(double x) { return __builtin_signbit(x) != 0; }
SIM_INLINE int __isnanf(float x) { return __builtin_isnan(x); }
SIM_INLINE int __isinff(float x) { return __builtin_isinf(x); }
SIM_INLINE int __finitef(float x) { return __builtin_isfinite(x); }
SIM_INLINE int __isnan(double x) { return __builtin_isnan(x); }

#define SIM_EXTREMA(T)                                                                                       \
  SIM_INLINE T min(T x, T y) { return y < x ? y : x; }                                                       \
  SIM_INLINE T max(T x, T y) { return x < y ? y : x; }
SIM_EXTREMA(int) SIM_EXTREMA(unsigned) SIM_EXTREMA(long) SIM_EXTREMA(unsigned long)
SIM_EXTREMA(long long) SIM_EXTREMA(unsigned long long)
SIM_INLINE unsigned min(int x, unsigned y) { return min((unsigned)x, y); }
SIM_INLINE unsigned min(unsigned x, int y) { return min(x, (unsigned)y); }
SIM_INLINE unsigned max(int x, unsigned y) { return max((unsigned)x, y); }
SIM_INLINE unsigned max(unsigned x, int y) { return max(x, (unsigned)y); }
SIM_INLINE float min(float x, float y) { return fminf(x, y); }
SIM_INLINE float max(float x, float y) { return fmaxf(x, y); }
SIM_INLINE double min(double x, double y) { return fmin(x, y); }
SIM_INLINE double max(double x, double y) { return fmax(x, y); }
SIM_INLINE int abs(int x) { return x < 0 ? -x : x; }
SIM_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
SIM_INLINE long abs(long x) { return x < 0 ? -x : x; }
SIM_INLINE long labs(long x) { return x < 0 ? -x : x; }
SIM_INLINE long long llabs(long long x) { return x < 0 ? -x : x; }
SIM_INLINE unsigned umin(unsigned x, unsigned y) { return min(x, y); }
SIM_INLINE unsigned umax(unsigned x, unsigned y) { return max(x, y); }
SIM_INLINE long long llmin(long long x, long long y) { return min(x, y); }
SIM_INLINE long long llmax(long long x, long long y) { return max(x, y); }
SIM_INLINE unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
SIM_INLINE unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }
SIM_INLINE float abs(float x) { return fabsf(x); }
SIM_INLINE double abs(double x) { return fabs(x); }

// Fast variants: as exact as the plain ones here.
#define SIM_FAST(name)                                                                                       \
  SIM_INLINE float __##name(float x) { return name(x); }
SIM_FAST(expf) SIM_FAST(exp10f) SIM_FAST(logf) SIM_FAST(log2f) SIM_FAST(log10f) SIM_FAST(sinf) SIM_FAST(cosf)
SIM_FAST(tanf)
SIM_INLINE void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
SIM_INLINE float __powf(float x, float y) { return powf(x, y); }
SIM_INLINE float __fdividef(float x, float y) { return x / y; }
SIM_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
SIM_INLINE float fdividef(float x, float y) { return x / y; }

// One rounding each, to nearest even.
SIM_INLINE float __fadd_rn(float x, float y) { return x + y; }
SIM_INLINE float __fsub_rn(float x, float y) { return x - y; }
SIM_INLINE float __fmul_rn(float x, float y) { return x * y; }
SIM_INLINE float __fdiv_rn(float x, float y) { return x / y; }
SIM_INLINE float __frcp_rn(float x) { return 1.0f / x; }
SIM_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
SIM_INLINE float __frsqrt_rn(float x) { return rsqrtf(x); }
SIM_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
SIM_INLINE double __dadd_rn(double x, double y) { return x + y; }
SIM_INLINE double __dsub_rn(double x, double y) { return x - y; }
SIM_INLINE double __dmul_rn(double x, double y) { return x * y; }
SIM_INLINE double __ddiv_rn(double x, double y) { return x / y; }
SIM_INLINE double __drcp_rn(double x) { return 1.0 / x; }
SIM_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
SIM_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

// Conversions to integers saturate; a NaN becomes 0, or the least integer for 64 bits.
namespace simulator {
template <class To, class From> SIM_INLINE To saturated(From x, From low, From beyond, To least, To greatest, To none) {
  if (x != x) return none;
  return x < low ? least : x >= beyond ? greatest : (To)x;
}
constexpr long long least64 = -0x7fffffffffffffffll - 1;
}  // namespace simulator
#define SIM_TO_INTEGERS(F, from, suffix, rounded)                                                            \
  SIM_INLINE int __##from##2int_##suffix(F x) {                                                              \
    return simulator::saturated<int, F>(rounded, -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647, 0);       \
  }                                                                                                          \
  SIM_INLINE unsigned __##from##2uint_##suffix(F x) {                                                        \
    return simulator::saturated<unsigned, F>(rounded, 0.0, 4294967296.0, 0u, 4294967295u, 0u);                       \
  }                                                                                                          \
  SIM_INLINE long long __##from##2ll_##suffix(F x) {                                                         \
    return simulator::saturated<long long, F>(rounded, -9223372036854775808.0, 9223372036854775808.0,                \
                                      simulator::least64, 0x7fffffffffffffffll, simulator::least64);         \
  }                                                                                                          \
  SIM_INLINE unsigned long long __##from##2ull_##suffix(F x) {                                               \
    return simulator::saturated<unsigned long long, F>(rounded, 0.0, 18446744073709551616.0, 0ull, ~0ull,            \
                                               0x8000000000000000ull);                                       \
  }
SIM_TO_INTEGERS(float, float, rz, truncf(x))
SIM_TO_INTEGERS(float, float, rn, rintf(x))
SIM_TO_INTEGERS(float, float, rd, floorf(x))
SIM_TO_INTEGERS(float, float, ru, ceilf(x))
SIM_TO_INTEGERS(double, double, rz, trunc(x))
SIM_TO_INTEGERS(double, double, rn, rint(x))
SIM_TO_INTEGERS(double, double, rd, floor(x))
SIM_TO_INTEGERS(double, double, ru, ceil(x))
SIM_INLINE float __int2float_rn(int x) { return (float)x; }
SIM_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
SIM_INLINE float __ll2float_rn(long long x) { return (float)x; }
SIM_INLINE float __ull2float_rn(unsigned long long x) { return (float)x; }
SIM_INLINE double __int2double_rn(int x) { return (double)x; }
SIM_INLINE double __uint2double_rn(unsigned x) { return (double)x; }
SIM_INLINE double __ll2double_rn(long long x) { return (double)x; }
SIM_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }
SIM_INLINE float __double2float_rn(double x) { return (float)x; }

SIM_INLINE int __float_as_int(float x) { return simulator::bits_as<int>(x); }
SIM_INLINE unsigned __float_as_uint(float x) { return simulator::bits_as<unsigned>(x); }
SIM_INLINE float __int_as_float(int x) { return simulator::bits_as<float>(x); }
SIM_INLINE float __uint_as_float(unsigned x) { return simulator::bits_as<float>(x); }
SIM_INLINE long long __double_as_longlong(double x) { return simulator::bits_as<long long>(x); }
SIM_INLINE double __longlong_as_double(long long x) { return simulator::bits_as<double>(x); }
SIM_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
SIM_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
SIM_INLINE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}

SIM_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
SIM_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIM_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
SIM_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
SIM_INLINE int __ffs(int x) { return __builtin_ffs(x); }
SIM_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIM_INLINE unsigned __brev(unsigned x) {
  unsigned y = 0;
  for (int bit = 0; bit < 32; bit++) y = y << 1 | (x >> bit & 1);
  return y;
}
SIM_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
SIM_INLINE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
SIM_INLINE int __mul24(int x, int y) { return (int)((long long)(x << 8 >> 8) * (y << 8 >> 8)); }
SIM_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    unsigned byte = both >> (8 * (selector >> 4 * i & 7)) & 0xff;
    if (selector >> 4 * i & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}
SIM_INLINE int __dp4a(int x, int y, int sum) {
  for (int i = 0; i < 4; i++) sum += (int)(signed char)(x >> 8 * i) * (signed char)(y >> 8 * i);
  return sum;
}
SIM_INLINE unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
  for (int i = 0; i < 4; i++) sum += (x >> 8 * i & 0xff) * (y >> 8 * i & 0xff);
  return sum;
}
SIM_INLINE unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
SIM_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
SIM_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
SIM_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
SIM_INLINE unsigned __sad(int x, int y, unsigned sum) {
  return sum + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y);
}
SIM_INLINE unsigned __usad(unsigned x, unsigned y, unsigned sum) { return sum + (x < y ? y - x : x - y); }
SIM_INLINE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
SIM_INLINE unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y) >> 1); }
SIM_INLINE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
SIM_INLINE unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((unsigned long long)x + y + 1) >> 1); }
SIM_INLINE unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
SIM_INLINE unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
SIM_INLINE unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
// The position of the nth bit that is set from `base` on, or before it for negative numbers; none is all ones.
SIM_INLINE unsigned __fns(unsigned mask, unsigned base, int nth) {
  if (nth == 0) return mask >> (base & 31) & 1 ? base & 31 : ~0u;
  int step = nth < 0 ? -1 : 1, left = nth * step;
  for (int at = (int)(base & 31); at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0) return (unsigned)at;
  return ~0u;
}
// Two products of 16 by 8 bits.
#define SIM_DP2A(I, half, byte)                                                                              \
  SIM_INLINE I __dp2a_lo(I x, I y, I sum) {                                                                  \
    return sum + (I)((half)x * (byte)y) + (I)((half)(x >> 16) * (byte)(y >> 8));                             \
  }                                                                                                          \
  SIM_INLINE I __dp2a_hi(I x, I y, I sum) { return __dp2a_lo(x, (I)(y >> 16), sum); }
SIM_DP2A(int, short, signed char) SIM_DP2A(unsigned, unsigned short, unsigned char)
#undef SIM_DP2A

// A shift of two words; by at most 31 bits, or by at most 32.
namespace simulator {
SIM_INLINE unsigned long long joined(unsigned low, unsigned high) { return (unsigned long long)high << 32 | low; }
}
SIM_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(simulator::joined(low, high) << (by & 31) >> 32);
}
SIM_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return (unsigned)(simulator::joined(low, high) >> (by & 31));
}
SIM_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? low : __funnelshift_l(low, high, by);
}
SIM_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? high : __funnelshift_r(low, high, by);
}

#include "simulator/special_functions.h"
#include "simulator/directed_rounding.h"
