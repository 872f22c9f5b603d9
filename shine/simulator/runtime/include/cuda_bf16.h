// CUDA's __nv_bfloat16 and __nv_bfloat162: every operation is one of float, rounded once.
#pragma once
#include "simulator/narrow_floats.h"

#define SIM_FLOAT16_TYPE __nv_bfloat16
#define SIM_FLOAT16_PAIR __nv_bfloat162
#define SIM_FLOAT16_NARROW(x) simulator::bfloat_of(x)
#define SIM_FLOAT16_WIDEN(x) simulator::float_of_bfloat(x)
#define SIM_FLOAT16_EXPONENT 8
#define SIM_FLOAT16_FRACTION 7
#define SIM_FLOAT16_NAME bfloat16
#define SIM_FLOAT16_AS bfloat16
#include "simulator/float16_type.h"
#undef SIM_FLOAT16_TYPE
#undef SIM_FLOAT16_PAIR
#undef SIM_FLOAT16_NARROW
#undef SIM_FLOAT16_WIDEN
#undef SIM_FLOAT16_EXPONENT
#undef SIM_FLOAT16_FRACTION
#undef SIM_FLOAT16_NAME
#undef SIM_FLOAT16_AS

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

SIM_INLINE __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16::of_bits(simulator::narrow<8, 7>(x)); }
SIM_INLINE float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
SIM_INLINE __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
SIM_INLINE __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {__nv_bfloat16(x), __nv_bfloat16(y)}; }
SIM_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 x) { return {__nv_bfloat16(x.x), __nv_bfloat16(x.y)}; }
SIM_INLINE float2 __bfloat1622float2(__nv_bfloat162 x) { return {(float)x.x, (float)x.y}; }
SIM_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
SIM_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }

// The bits of a number, and of a pair.
struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
  __nv_bfloat16_raw() = default;
  inline __nv_bfloat16_raw(__nv_bfloat16 number) : x(number.sim_bits) {}
  inline operator __nv_bfloat16() const { return __nv_bfloat16::of_bits(x); }
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
  __nv_bfloat162_raw() = default;
  inline __nv_bfloat162_raw(__nv_bfloat162 pair) : x(pair.x.sim_bits), y(pair.y.sim_bits) {}
  inline operator __nv_bfloat162() const { return {__nv_bfloat16::of_bits(x), __nv_bfloat16::of_bits(y)}; }
};
