// One 16-bit floating-point type of CUDA, its pair, and the functions that both kinds have.
// Included once for each kind, with the SIM_FLOAT16_ macros defined. Functions here apply no operators to the types, and
// convert by name: choosing among their operators and conversions takes compilers most of the time for this header.
#define T SIM_FLOAT16_TYPE
#define T2 SIM_FLOAT16_PAIR
#define SIM_VALUE(a) SIM_FLOAT16_WIDEN((a).sim_bits)
#define SIM_NEAREST(x) T::of_bits(SIM_FLOAT16_NARROW(x))

struct __align__(2) T {
  unsigned short sim_bits;

  T() = default;
  static inline __attribute__((always_inline)) T of_bits(unsigned short bits) {
    T made;
    made.sim_bits = bits;
    return made;
  }
  static inline __attribute__((always_inline)) unsigned short exactly(double x) {
    return simulator::narrow<SIM_FLOAT16_EXPONENT, SIM_FLOAT16_FRACTION>(x);
  }
  // An integer of 64 bits may not be exact in double: below its 40 highest bits only whether there are any counts.
  static inline __attribute__((always_inline)) double nearly(unsigned long long x) {
    return x >> 52 ? (double)(x >> 20 << 20 | (unsigned long long)((x & 0xfffff) != 0) << 20) : (double)x;
  }
  inline __attribute__((always_inline)) T(float x) : sim_bits(SIM_FLOAT16_NARROW(x)) {}
  inline __attribute__((always_inline)) T(double x) : sim_bits(exactly(x)) {}
  inline __attribute__((always_inline)) T(short x) : sim_bits(SIM_FLOAT16_NARROW((float)x)) {}
  inline __attribute__((always_inline)) T(unsigned short x) : sim_bits(SIM_FLOAT16_NARROW((float)x)) {}
  inline __attribute__((always_inline)) T(int x) : sim_bits(exactly((double)x)) {}
  inline __attribute__((always_inline)) T(unsigned x) : sim_bits(exactly((double)x)) {}
  inline __attribute__((always_inline)) T(long x) : T((long long)x) {}
  inline __attribute__((always_inline)) T(unsigned long x) : T((unsigned long long)x) {}
  inline __attribute__((always_inline)) T(long long x)
      : sim_bits(exactly(x < 0 ? -nearly(0 - (unsigned long long)x) : nearly((unsigned long long)x))) {}
  inline __attribute__((always_inline)) T(unsigned long long x) : sim_bits(exactly(nearly(x))) {}
  inline __attribute__((always_inline)) operator float() const { return SIM_FLOAT16_WIDEN(sim_bits); }
  // No operator to double: a cast to it goes through float, as in CUDA.
  inline __attribute__((always_inline)) operator bool() const { return (sim_bits & 0x7fff) != 0; }
#define SIM_TO(I, least, greatest)                                                                           \
  inline __attribute__((always_inline)) operator I() const {                                                 \
    float x = SIM_FLOAT16_WIDEN(sim_bits);                                                                   \
    return x != x ? (I)0 : x <= (float)(least) ? (I)(least) : x >= (float)(greatest) ? (I)(greatest) : (I)x; \
  }
  SIM_TO(char, -128, 127)
  SIM_TO(signed char, -128, 127)
  SIM_TO(unsigned char, 0, 255)
  SIM_TO(short, -32768, 32767)
  SIM_TO(unsigned short, 0, 65535)
  SIM_TO(int, -2147483647 - 1, 2147483647)
  SIM_TO(unsigned, 0, 4294967295u)
  SIM_TO(long, -0x7fffffffffffffffl - 1, 0x7fffffffffffffffl)
  SIM_TO(unsigned long, 0, ~0ul)
  SIM_TO(long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
  SIM_TO(unsigned long long, 0, ~0ull)
#undef SIM_TO
};

struct __align__(4) T2 {
  T x, y;

  T2() = default;
  inline __attribute__((always_inline)) T2(T a, T b) : x(a), y(b) {}
};

#define SIM_OPERATOR(op)                                                                                     \
  SIM_INLINE T operator op(T a, T b) { return SIM_NEAREST(SIM_VALUE(a) op SIM_VALUE(b)); }                   \
  SIM_INLINE T &operator op##=(T &a, T b) { return a = operator op(a, b); }                                  \
  SIM_INLINE T2 operator op(T2 a, T2 b) { return {operator op(a.x, b.x), operator op(a.y, b.y)}; }           \
  SIM_INLINE T2 &operator op##=(T2 &a, T2 b) { return a = operator op(a, b); }
SIM_OPERATOR(+) SIM_OPERATOR(-) SIM_OPERATOR(*) SIM_OPERATOR(/)
#undef SIM_OPERATOR
#define SIM_COMPARISON(op)                                                                                   \
  SIM_INLINE bool operator op(T a, T b) { return SIM_VALUE(a) op SIM_VALUE(b); }
SIM_COMPARISON(==) SIM_COMPARISON(!=) SIM_COMPARISON(<) SIM_COMPARISON(>) SIM_COMPARISON(<=) SIM_COMPARISON(>=)
#undef SIM_COMPARISON
SIM_INLINE T operator+(T a) { return a; }
SIM_INLINE T operator-(T a) { return T::of_bits(a.sim_bits ^ 0x8000); }
SIM_INLINE T2 operator+(T2 a) { return a; }
SIM_INLINE T2 operator-(T2 a) { return {operator-(a.x), operator-(a.y)}; }
#define SIM_STEP(op)                                                                                         \
  SIM_INLINE T &operator op##op(T &a) { return a = SIM_NEAREST(SIM_VALUE(a) op 1.0f); }                       \
  SIM_INLINE T operator op##op(T &a, int) {                                                                  \
    T before = a;                                                                                            \
    a = SIM_NEAREST(SIM_VALUE(a) op 1.0f);                                                                   \
    return before;                                                                                           \
  }
SIM_STEP(+) SIM_STEP(-)
#undef SIM_STEP

// Arithmetic, alone and in pairs. The _rn forms are never contracted, nor is anything here.
#define SIM_FUNCTION(name, expression)                                                                       \
  SIM_INLINE T name(T a, T b) { return (expression); }
#define SIM_BOTH(name, expression)                                                                           \
  SIM_FUNCTION(name, expression)                                                                             \
  SIM_INLINE T2 name##2(T2 a, T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define SIM_SUM SIM_NEAREST(SIM_VALUE(a) + SIM_VALUE(b))
#define SIM_DIFFERENCE SIM_NEAREST(SIM_VALUE(a) - SIM_VALUE(b))
#define SIM_PRODUCT SIM_NEAREST(SIM_VALUE(a) * SIM_VALUE(b))
SIM_BOTH(__hadd, SIM_SUM) SIM_BOTH(__hsub, SIM_DIFFERENCE) SIM_BOTH(__hmul, SIM_PRODUCT)
#define SIM_BOTH_AS(name, name2, expression)                                                                 \
  SIM_FUNCTION(name, expression)                                                                             \
  SIM_INLINE T2 name2(T2 a, T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
SIM_BOTH_AS(__hadd_rn, __hadd2_rn, SIM_SUM) SIM_BOTH_AS(__hsub_rn, __hsub2_rn, SIM_DIFFERENCE)
SIM_BOTH_AS(__hmul_rn, __hmul2_rn, SIM_PRODUCT)
// From 0 to 1; a NaN becomes 0.
#define SIM_SATURATED(value) simulator::between_0_and_1(value)
namespace simulator {
SIM_INLINE T between_0_and_1(T a) {
  float x = SIM_VALUE(a);
  return x > 0 ? x < 1 ? a : SIM_NEAREST(1.0f) : T::of_bits(0);
}
SIM_INLINE T at_least_0(T a) {
  float x = SIM_VALUE(a);
  return x != x ? T::of_bits(0x7fff) : x > 0 ? a : T::of_bits(0);
}
}  // namespace simulator
SIM_BOTH_AS(__hadd_sat, __hadd2_sat, SIM_SATURATED(SIM_SUM))
SIM_BOTH_AS(__hsub_sat, __hsub2_sat, SIM_SATURATED(SIM_DIFFERENCE))
SIM_BOTH_AS(__hmul_sat, __hmul2_sat, SIM_SATURATED(SIM_PRODUCT))
#undef SIM_SUM
#undef SIM_DIFFERENCE
#undef SIM_PRODUCT
SIM_FUNCTION(__hdiv, SIM_NEAREST(SIM_VALUE(a) / SIM_VALUE(b)))
SIM_INLINE T2 __h2div(T2 a, T2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
// The lesser and the greater: a NaN counts as missing, -0 as less than +0; the _nan forms return NaNs.
#define SIM_LESS(a, b) \
  (SIM_VALUE(a) < SIM_VALUE(b) || (SIM_VALUE(a) == SIM_VALUE(b) && (a).sim_bits > (b).sim_bits))
#define SIM_IS_NAN(a) (SIM_VALUE(a) != SIM_VALUE(a))
#define SIM_NO_NAN T::of_bits(0x7fff)
SIM_BOTH(__hmin, SIM_IS_NAN(a) ? (SIM_IS_NAN(b) ? SIM_NO_NAN : b) : SIM_IS_NAN(b) || SIM_LESS(a, b) ? a : b)
SIM_BOTH(__hmax, SIM_IS_NAN(a) ? (SIM_IS_NAN(b) ? SIM_NO_NAN : b) : SIM_IS_NAN(b) || SIM_LESS(b, a) ? a : b)
SIM_BOTH_AS(__hmin_nan, __hmin2_nan, SIM_IS_NAN(a) || SIM_IS_NAN(b) ? SIM_NO_NAN : __hmin(a, b))
SIM_BOTH_AS(__hmax_nan, __hmax2_nan, SIM_IS_NAN(a) || SIM_IS_NAN(b) ? SIM_NO_NAN : __hmax(a, b))
#undef SIM_FUNCTION
#undef SIM_BOTH
#undef SIM_BOTH_AS
SIM_INLINE T __hfma(T a, T b, T c) {
  return T::of_bits(T::exactly(simulator::product_sum(SIM_VALUE(a), SIM_VALUE(b), SIM_VALUE(c))));
}
SIM_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
#define SIM_FUSED(suffix, limited)                                                                           \
  SIM_INLINE T __hfma##suffix(T a, T b, T c) { return limited(__hfma(a, b, c)); }                            \
  SIM_INLINE T2 __hfma2##suffix(T2 a, T2 b, T2 c) {                                                          \
    return {__hfma##suffix(a.x, b.x, c.x), __hfma##suffix(a.y, b.y, c.y)};                                   \
  }
SIM_FUSED(_sat, simulator::between_0_and_1) SIM_FUSED(_relu, simulator::at_least_0)
#undef SIM_FUSED
SIM_INLINE T2 __hcmadd(T2 a, T2 b, T2 c) {  // of complex numbers
  return {__hfma(operator-(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
SIM_INLINE T __hneg(T a) { return operator-(a); }
SIM_INLINE T2 __hneg2(T2 a) { return operator-(a); }
SIM_INLINE T __habs(T a) { return T::of_bits(a.sim_bits & 0x7fff); }
SIM_INLINE T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }
SIM_INLINE bool __hisnan(T a) { return SIM_IS_NAN(a); }
SIM_INLINE int __hisinf(T a) { return __builtin_isinf(SIM_VALUE(a)) ? (SIM_VALUE(a) > 0 ? 1 : -1) : 0; }
// Comparisons, which are false of NaNs, or with a `u` true: of numbers; of pairs as numbers 1 and 0, as masks, and of both.
#define SIM_ONE (((1 << (SIM_FLOAT16_EXPONENT - 1)) - 1) << SIM_FLOAT16_FRACTION)
#define SIM_TRUTH(is) T::of_bits((is) ? SIM_ONE : 0)
#define SIM_COMPARISON(name, expression)                                                                     \
  SIM_INLINE bool __h##name(T a, T b) {                                                                      \
    float x = SIM_VALUE(a), y = SIM_VALUE(b);                                                                \
    return (expression);                                                                                     \
  }                                                                                                          \
  SIM_INLINE T2 __h##name##2(T2 a, T2 b) { return {SIM_TRUTH(__h##name(a.x, b.x)), SIM_TRUTH(__h##name(a.y, b.y))}; } \
  SIM_INLINE unsigned __h##name##2_mask(T2 a, T2 b) {                                                        \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                  \
  }                                                                                                          \
  SIM_INLINE bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
SIM_COMPARISON(eq, x == y) SIM_COMPARISON(ne, x < y || x > y)
SIM_COMPARISON(lt, x < y) SIM_COMPARISON(le, x <= y) SIM_COMPARISON(gt, x > y) SIM_COMPARISON(ge, x >= y)
SIM_COMPARISON(equ, !(x < y || x > y)) SIM_COMPARISON(neu, x != y)
SIM_COMPARISON(ltu, !(x >= y)) SIM_COMPARISON(leu, !(x > y)) SIM_COMPARISON(gtu, !(x <= y)) SIM_COMPARISON(geu, !(x < y))
#undef SIM_COMPARISON
SIM_INLINE bool operator==(T2 a, T2 b) { return __hbeq2(a, b); }
SIM_INLINE bool operator!=(T2 a, T2 b) { return __hbneu2(a, b); }
SIM_INLINE bool operator<(T2 a, T2 b) { return __hblt2(a, b); }
SIM_INLINE bool operator<=(T2 a, T2 b) { return __hble2(a, b); }
SIM_INLINE bool operator>(T2 a, T2 b) { return __hbgt2(a, b); }
SIM_INLINE bool operator>=(T2 a, T2 b) { return __hbge2(a, b); }
SIM_INLINE T2 __hisnan2(T2 a) { return {SIM_TRUTH(SIM_IS_NAN(a.x)), SIM_TRUTH(SIM_IS_NAN(a.y))}; }
#undef SIM_TRUTH
#undef SIM_ONE
#define SIM_ROUNDED(name, function)                                                                          \
  SIM_INLINE T h##name(T a) { return T::of_bits(T::exactly(function((double)SIM_VALUE(a)))); }               \
  SIM_INLINE T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }
SIM_ROUNDED(sqrt, sqrt) SIM_ROUNDED(rsqrt, rsqrt) SIM_ROUNDED(exp, exp) SIM_ROUNDED(exp2, exp2)
SIM_ROUNDED(exp10, exp10) SIM_ROUNDED(log, log) SIM_ROUNDED(log2, log2) SIM_ROUNDED(log10, log10)
SIM_ROUNDED(sin, sin) SIM_ROUNDED(cos, cos) SIM_ROUNDED(tanh, tanh) SIM_ROUNDED(tanh_approx, tanh) SIM_ROUNDED(rcp, 1.0 /)
SIM_ROUNDED(floor, floor) SIM_ROUNDED(ceil, ceil) SIM_ROUNDED(trunc, trunc) SIM_ROUNDED(rint, rint)
#undef SIM_ROUNDED

// Conversions by name: __float2half_rn, __half2int_rz, __int2bfloat16_rn, __half_as_ushort and so on.
#define SIM_NAMED(a, b, c) SIM_JOIN(a, SIM_JOIN(b, c))
SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, )(float x) { return SIM_NEAREST(x); }
SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, _rn)(float x) { return SIM_NEAREST(x); }
#define SIM_DIRECTED(suffix, rounding)                                                                       \
  SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, suffix)(float x) {                                      \
    return T::of_bits(simulator::narrow<SIM_FLOAT16_EXPONENT, SIM_FLOAT16_FRACTION>(x, simulator::rounding)); \
  }
SIM_DIRECTED(_rz, TO_ZERO) SIM_DIRECTED(_rd, DOWNWARD) SIM_DIRECTED(_ru, UPWARD)
#undef SIM_DIRECTED
#define SIM_FROM_DIRECTED(I, name, suffix, rounding)                                                         \
  SIM_INLINE T SIM_NAMED(__##name##2, SIM_FLOAT16_NAME, suffix)(I x) {                                       \
    double size = T::nearly(x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x);                      \
    return T::of_bits(                                                                                       \
        simulator::narrow<SIM_FLOAT16_EXPONENT, SIM_FLOAT16_FRACTION>(x < 0 ? -size : size, simulator::rounding)); \
  }
#define SIM_FROM(I, name)                                                                                    \
  SIM_INLINE T SIM_NAMED(__##name##2, SIM_FLOAT16_NAME, _rn)(I x) { return T(x); }                           \
  SIM_FROM_DIRECTED(I, name, _rz, TO_ZERO) SIM_FROM_DIRECTED(I, name, _rd, DOWNWARD) SIM_FROM_DIRECTED(I, name, _ru, UPWARD)
SIM_FROM(int, int) SIM_FROM(unsigned, uint) SIM_FROM(short, short) SIM_FROM(unsigned short, ushort)
SIM_FROM(long long, ll) SIM_FROM(unsigned long long, ull)
#undef SIM_FROM
#undef SIM_FROM_DIRECTED
#define SIM_TO_ROUNDED(I, name, suffix, rounded)                                                             \
  SIM_INLINE I SIM_NAMED(__, SIM_FLOAT16_NAME, 2##name##suffix)(T x) {                                       \
    return SIM_NEAREST(rounded(SIM_VALUE(x))).operator I();                                                  \
  }
#define SIM_TO(I, name)                                                                                      \
  SIM_INLINE I SIM_NAMED(__, SIM_FLOAT16_NAME, 2##name##_rz)(T x) { return x.operator I(); }                           \
  SIM_TO_ROUNDED(I, name, _rn, rintf) SIM_TO_ROUNDED(I, name, _rd, floorf) SIM_TO_ROUNDED(I, name, _ru, ceilf)
SIM_TO(int, int) SIM_TO(unsigned, uint) SIM_TO(short, short) SIM_TO(unsigned short, ushort)
SIM_TO(long long, ll) SIM_TO(unsigned long long, ull)
#undef SIM_TO
#undef SIM_TO_ROUNDED
SIM_INLINE signed char SIM_NAMED(__, SIM_FLOAT16_NAME, 2char_rz)(T x) { return x.operator signed char(); }
SIM_INLINE unsigned char SIM_NAMED(__, SIM_FLOAT16_NAME, 2uchar_rz)(T x) { return x.operator unsigned char(); }
SIM_INLINE unsigned short SIM_NAMED(__, SIM_FLOAT16_AS, _as_ushort)(T x) { return x.sim_bits; }
SIM_INLINE short SIM_NAMED(__, SIM_FLOAT16_AS, _as_short)(T x) { return (short)x.sim_bits; }
SIM_INLINE T SIM_NAMED(__ushort_as_, SIM_FLOAT16_AS, )(unsigned short x) { return T::of_bits(x); }
SIM_INLINE T SIM_NAMED(__short_as_, SIM_FLOAT16_AS, )(short x) { return T::of_bits((unsigned short)x); }
SIM_INLINE float __low2float(T2 a) { return SIM_VALUE(a.x); }
SIM_INLINE float __high2float(T2 a) { return SIM_VALUE(a.y); }

// Halves of pairs: __low2half, __lows2half2, __halves2bfloat162 and so on.
SIM_INLINE T SIM_NAMED(__low2, SIM_FLOAT16_NAME, )(T2 a) { return a.x; }
SIM_INLINE T SIM_NAMED(__high2, SIM_FLOAT16_NAME, )(T2 a) { return a.y; }
SIM_INLINE T2 SIM_NAMED(__low2, SIM_FLOAT16_NAME, 2)(T2 a) { return {a.x, a.x}; }
SIM_INLINE T2 SIM_NAMED(__high2, SIM_FLOAT16_NAME, 2)(T2 a) { return {a.y, a.y}; }
SIM_INLINE T2 SIM_NAMED(__lows2, SIM_FLOAT16_NAME, 2)(T2 a, T2 b) { return {a.x, b.x}; }
SIM_INLINE T2 SIM_NAMED(__highs2, SIM_FLOAT16_NAME, 2)(T2 a, T2 b) { return {a.y, b.y}; }
SIM_INLINE T2 SIM_NAMED(__halves2, SIM_FLOAT16_NAME, 2)(T a, T b) { return {a, b}; }
SIM_INLINE T2 __lowhigh2highlow(T2 a) { return {a.y, a.x}; }

SIM_ATOMIC(atomicAdd, T, operator+(before, value))
SIM_INLINE T2 atomicAdd(T2 *place, T2 value, SIM_LINE) {
  T x = atomicAdd(&place->x, value.x, sim_line), y = atomicAdd(&place->y, value.y, sim_line);
  return {x, y};
}

#undef SIM_NAMED
#undef SIM_VALUE
#undef SIM_NEAREST
#undef SIM_SATURATED
#undef SIM_LESS
#undef SIM_IS_NAN
#undef SIM_NO_NAN
#undef T
#undef T2
