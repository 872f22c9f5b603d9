// CUDA's __half and __half2: every operation is one of float, rounded once.
#pragma once
#include "simulator/narrow_floats.h"

#define SIM_FLOAT16_TYPE __half
#define SIM_FLOAT16_PAIR __half2
#define SIM_FLOAT16_NARROW(x) simulator::half_of(x)
#define SIM_FLOAT16_WIDEN(x) simulator::float_of_half(x)
#define SIM_FLOAT16_EXPONENT 5
#define SIM_FLOAT16_FRACTION 10
#define SIM_FLOAT16_NAME half
#define SIM_FLOAT16_AS half
#include "simulator/float16_type.h"
#undef SIM_FLOAT16_TYPE
#undef SIM_FLOAT16_PAIR
#undef SIM_FLOAT16_NARROW
#undef SIM_FLOAT16_WIDEN
#undef SIM_FLOAT16_EXPONENT
#undef SIM_FLOAT16_FRACTION
#undef SIM_FLOAT16_NAME
#undef SIM_FLOAT16_AS

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

SIM_INLINE __half __double2half(double x) { return __half::of_bits(simulator::narrow<5, 10>(x)); }
SIM_INLINE float __half2float(__half x) { return (float)x; }
SIM_INLINE __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
SIM_INLINE __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
SIM_INLINE __half2 __float22half2_rn(float2 x) { return {__half(x.x), __half(x.y)}; }
SIM_INLINE float2 __half22float2(__half2 x) { return {(float)x.x, (float)x.y}; }
SIM_INLINE __half2 __half2half2(__half x) { return {x, x}; }
SIM_INLINE __half2 make_half2(__half x, __half y) { return {x, y}; }

// The bits of a number, and of a pair.
struct __align__(2) __half_raw {
  unsigned short x;
  __half_raw() = default;
  inline __half_raw(__half number) : x(number.sim_bits) {}
  inline operator __half() const { return __half::of_bits(x); }
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
  __half2_raw() = default;
  inline __half2_raw(__half2 pair) : x(pair.x.sim_bits), y(pair.y.sim_bits) {}
  inline operator __half2() const { return {__half::of_bits(x), __half::of_bits(y)}; }
};
