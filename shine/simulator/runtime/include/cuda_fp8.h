// CUDA's 8-bit floating-point numbers, e4m3 and e5m2: storage, conversion to and from wider numbers, by nearest even.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace simulator {

// To a number of `F` fraction bits. NaNs are 0x7f. Beyond the greatest: that, or what `beyond` says.
template <int F, int bias> inline unsigned char fp8_of(double value, double greatest, bool saturates, int beyond) {
  if (value != value) return 0x7f;
  unsigned long long bits = same_bits<unsigned long long>(value);
  int sign = bits >> 63 ? 0x80 : 0, exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  double size = sign ? -value : value;
  if (exponent < 1 - bias) exponent = 1 - bias;
  if (exponent > 1000 - F) return (unsigned char)(sign | (saturates ? beyond - 1 : beyond));
  double quantum = same_bits<double>((unsigned long long)(exponent - F + 1023) << 52);
  double steps = __builtin_rint(size / quantum);
  if (steps * quantum > greatest) return (unsigned char)(sign | (saturates ? beyond - 1 : beyond));
  return (unsigned char)(sign | ((int)steps + ((exponent + bias - 1) << F)));
}

inline float float_of_fp8(unsigned char bits, __nv_fp8_interpretation_t kind) {
  return kind == __NV_E5M2 ? float_of_e5m2(bits) : float_of_e4m3(bits);
}

}  // namespace simulator

SIM_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  bool saturates = saturation == __NV_SATFINITE;
  return kind == __NV_E4M3 ? simulator::fp8_of<3, 7>(x, 448.0, saturates, 0x7f)
                           : simulator::fp8_of<2, 15>(x, 57344.0, saturates, 0x7c);
}
SIM_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(x, saturation, kind);
}
SIM_INLINE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}

#define SIM_FP8(name, kind)                                                                                  \
  struct name {                                                                                              \
    __nv_fp8_storage_t __x;                                                                                  \
    name() = default;                                                                                        \
    inline explicit name(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}                   \
    inline explicit name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}                 \
    inline explicit name(int x) : name((double)x) {}                                                         \
    inline explicit name(unsigned x) : name((double)x) {}                                                    \
    inline explicit name(__half x) : name((float)x) {}                                                       \
    inline explicit name(__nv_bfloat16 x) : name((float)x) {}                                                \
    inline explicit operator float() const { return simulator::float_of_fp8(__x, kind); }                    \
    inline explicit operator double() const { return (double)(float)*this; }                                 \
    inline explicit operator __half() const { return __half((float)*this); }                                 \
    inline explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); }                   \
    inline explicit operator bool() const { return (__x & 0x7f) != 0; }                                      \
  };
SIM_FP8(__nv_fp8_e4m3, __NV_E4M3)
SIM_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef SIM_FP8

#define SIM_FP8_PAIR(name, kind)                                                                             \
  struct __align__(2) name##x2_##kind {                                                                      \
    __nv_fp8x2_storage_t __x;                                                                                \
    name##x2_##kind() = default;                                                                             \
    inline explicit name##x2_##kind(float2 x)                                                                \
        : __x((__nv_fp8x2_storage_t)(name##_##kind(x.x).__x | name##_##kind(x.y).__x << 8)) {}               \
    inline explicit operator float2() const {                                                                \
      name##_##kind low, high;                                                                               \
      low.__x = (unsigned char)__x, high.__x = (unsigned char)(__x >> 8);                                    \
      return {(float)low, (float)high};                                                                      \
    }                                                                                                        \
  };                                                                                                         \
  struct __align__(4) name##x4_##kind {                                                                      \
    __nv_fp8x4_storage_t __x;                                                                                \
    name##x4_##kind() = default;                                                                             \
    inline explicit name##x4_##kind(float4 x)                                                                \
        : __x((unsigned)name##x2_##kind(float2{x.x, x.y}).__x |                                              \
              (unsigned)name##x2_##kind(float2{x.z, x.w}).__x << 16) {}                                      \
    inline explicit operator float4() const {                                                                \
      name##x2_##kind low, high;                                                                             \
      low.__x = (unsigned short)__x, high.__x = (unsigned short)(__x >> 16);                                 \
      float2 first = (float2)low, second = (float2)high;                                                     \
      return {first.x, first.y, second.x, second.y};                                                         \
    }                                                                                                        \
  };
SIM_FP8_PAIR(__nv_fp8, e4m3)
SIM_FP8_PAIR(__nv_fp8, e5m2)
#undef SIM_FP8_PAIR

// By the bits of 16-bit numbers.
SIM_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(simulator::float_of_fp8(x, kind));
}
SIM_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2(__half(simulator::float_of_fp8((unsigned char)x, kind)),
                 __half(simulator::float_of_fp8((unsigned char)(x >> 8), kind)));
}
#define SIM_FROM_RAW(name, raw, T, raw2, name2)                                                              \
  SIM_INLINE __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(raw x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) { \
    return __nv_cvt_float_to_fp8((float)T::of_bits(x.x), saturation, kind);                                  \
  }                                                                                                          \
  SIM_INLINE __nv_fp8x2_storage_t __nv_cvt_##name2##_to_fp8x2(raw2 x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) { \
    return __nv_cvt_float2_to_fp8x2({(float)T::of_bits(x.x), (float)T::of_bits(x.y)}, saturation, kind);     \
  }
SIM_FROM_RAW(halfraw, __half_raw, __half, __half2_raw, halfraw2)
SIM_FROM_RAW(bfloat16raw, __nv_bfloat16_raw, __nv_bfloat16, __nv_bfloat162_raw, bfloat16raw2)
#undef SIM_FROM_RAW
SIM_INLINE __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturation, kind) | __nv_cvt_double_to_fp8(x.y, saturation, kind) << 8);
}
