// 16-bit floating-point numbers as bits: conversion to and from float and double, rounding to nearest even, and
// directed. Both kinds have one form: a sign, `exponent` bits, `fraction` bits. Knows nothing of CUDA's types.
#pragma once

namespace simulator {

typedef unsigned short Bits16;

template <class To, class From> inline __attribute__((always_inline)) To same_bits(From from) {
  To to;
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

enum Rounding { TO_EVEN, TO_ZERO, DOWNWARD, UPWARD };

// A double to a number of `E` exponent and `F` fraction bits, rounded once. NaNs become the canonical one.
template <int E, int F> inline Bits16 narrow(double value, Rounding rounding = TO_EVEN) {
  constexpr int bias = (1 << (E - 1)) - 1, infinity = ((1 << E) - 1) << F;
  unsigned long long bits = same_bits<unsigned long long>(value);
  Bits16 sign = bits >> 63 ? 0x8000 : 0;
  bits &= ~(1ull << 63);
  if (bits > 0x7ffull << 52) return 0x7fff;
  if (bits == 0x7ffull << 52) return (Bits16)(sign | infinity);
  if (bits == 0) return sign;
  int exponent = (int)(bits >> 52) - 1023;
  unsigned long long significand = bits >> 52 ? (bits & ((1ull << 52) - 1)) | 1ull << 52 : bits;
  if (bits >> 52 == 0) exponent = -1022;
  int dropped = 52 - F;
  if (exponent < 1 - bias) dropped += 1 - bias - exponent;
  if (dropped > 62) dropped = 62, significand = 1;
  unsigned long long kept = significand >> dropped, rest = significand & ((1ull << dropped) - 1);
  unsigned long long half = 1ull << (dropped - 1);
  bool away = rounding == TO_EVEN ? rest > half || (rest == half && (kept & 1))
              : rounding == UPWARD ? rest && !sign
              : rounding == DOWNWARD ? rest && sign
                                     : false;
  kept += away;
  unsigned long long result = exponent < 1 - bias ? kept : kept + ((unsigned long long)(exponent + bias - 1) << F);
  if (result >= (unsigned long long)infinity) {
    bool to_greatest = rounding == TO_ZERO || (rounding == UPWARD && sign) || (rounding == DOWNWARD && !sign);
    result = to_greatest ? infinity - 1 : infinity;
  }
  return (Bits16)(sign | result);
}

inline __attribute__((always_inline)) Bits16 half_of(float value) {
#if defined(__FLT16_MANT_DIG__) && !defined(SIM_SOFT_HALF)
  if (value != value) return 0x7fff;
  return same_bits<Bits16>((_Float16)value);
#else
  return narrow<5, 10>(value);
#endif
}

inline __attribute__((always_inline)) float float_of_half(Bits16 bits) {
#if defined(__FLT16_MANT_DIG__) && !defined(SIM_SOFT_HALF)
  return (float)same_bits<_Float16>(bits);
#else
  unsigned sign = (unsigned)(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00) return same_bits<float>(sign | 0x7f800000 | (rest & 0x3ff) << 13 | (rest > 0x7c00) << 22);
  if (rest >= 0x400) return same_bits<float>(sign | ((rest << 13) + (112u << 23)));
  float small = (float)rest * 0x1p-24f;
  return sign ? -small : small;
#endif
}

inline __attribute__((always_inline)) Bits16 bfloat_of(float value) {
  unsigned bits = same_bits<unsigned>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return (Bits16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline __attribute__((always_inline)) float float_of_bfloat(Bits16 bits) {
  return same_bits<float>((unsigned)bits << 16);
}

// 8-bit numbers: 5 exponent bits as the half of the same leading bits, 4 without infinities.
inline __attribute__((always_inline)) float float_of_e5m2(unsigned char bits) { return float_of_half((Bits16)(bits << 8)); }
inline float float_of_e4m3(unsigned char bits) {
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  if ((bits & 0x7f) == 0x7f) return __builtin_nanf("");
  float size = exponent ? same_bits<float>((unsigned)(exponent + 120) << 23 | (unsigned)fraction << 20) : (float)fraction * 0x1p-9f;
  return bits & 0x80 ? -size : size;
}

// x * y + z of 16-bit numbers, such that one more rounding gives what rounding once would: the product is exact
// in double, and the sum is rounded to odd.
inline double product_sum(double x, double y, double z) {
  double product = x * y, sum = product + z;
  double part = sum - product, error = (product - (sum - part)) + (z - part);
  unsigned long long bits = same_bits<unsigned long long>(sum);
  if (error != 0 && error == error && !(bits & 1) && (bits & 0x7ffull << 52) != 0x7ffull << 52) {
    bool grows = (error > 0) == (sum > 0);
    sum = same_bits<double>(grows ? bits + 1 : bits - 1);
  }
  return sum;
}

}  // namespace simulator
