// One 16-bit floating-point type of CUDA, its pair, and the functions that both kinds have.
// Included once for each kind, with the SIM_FLOAT16_ macros defined.
#define T SIM_FLOAT16_TYPE
#define T2 SIM_FLOAT16_PAIR

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
};

#define SIM_OPERATOR(op)                                                                                     \
  SIM_INLINE T operator op(T a, T b) { return T((float)a op(float) b); }                                     \
  SIM_INLINE T &operator op##=(T &a, T b) { return a = a op b; }                                             \
  SIM_INLINE T2 operator op(T2 a, T2 b) { return {a.x op b.x, a.y op b.y}; }                                 \
  SIM_INLINE T2 &operator op##=(T2 &a, T2 b) { return a = a op b; }
SIM_OPERATOR(+) SIM_OPERATOR(-) SIM_OPERATOR(*) SIM_OPERATOR(/)
#undef SIM_OPERATOR
#define SIM_COMPARISON(op)                                                                                   \
  SIM_INLINE bool operator op(T a, T b) { return (float)a op(float) b; }
SIM_COMPARISON(==) SIM_COMPARISON(!=) SIM_COMPARISON(<) SIM_COMPARISON(>) SIM_COMPARISON(<=) SIM_COMPARISON(>=)
#undef SIM_COMPARISON
SIM_INLINE T operator+(T a) { return a; }
SIM_INLINE T operator-(T a) { return T::of_bits(a.sim_bits ^ 0x8000); }
SIM_INLINE T2 operator-(T2 a) { return {-a.x, -a.y}; }

// Arithmetic, alone and in pairs. The _rn forms are never contracted, nor is anything here.
#define SIM_FUNCTION(name, expression)                                                                       \
  SIM_INLINE T name(T a, T b) { return (expression); }
#define SIM_BOTH(name, expression)                                                                           \
  SIM_FUNCTION(name, expression)                                                                             \
  SIM_INLINE T2 name##2(T2 a, T2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
SIM_BOTH(__hadd, a + b) SIM_BOTH(__hsub, a - b) SIM_BOTH(__hmul, a *b)
SIM_FUNCTION(__hadd_rn, a + b) SIM_FUNCTION(__hsub_rn, a - b) SIM_FUNCTION(__hmul_rn, a *b)
SIM_FUNCTION(__hdiv, a / b)
SIM_INLINE T2 __h2div(T2 a, T2 b) { return a / b; }
// The lesser and the greater: a NaN counts as missing, -0 as less than +0; the _nan forms return NaNs.
#define SIM_LESS(a, b) ((float)(a) < (float)(b) || ((a) == (b) && (a).sim_bits > (b).sim_bits))
#define SIM_IS_NAN(a) ((float)(a) != (float)(a))
#define SIM_NO_NAN T::of_bits(0x7fff)
SIM_BOTH(__hmin, SIM_IS_NAN(a) ? (SIM_IS_NAN(b) ? SIM_NO_NAN : b) : SIM_IS_NAN(b) || SIM_LESS(a, b) ? a : b)
SIM_BOTH(__hmax, SIM_IS_NAN(a) ? (SIM_IS_NAN(b) ? SIM_NO_NAN : b) : SIM_IS_NAN(b) || SIM_LESS(b, a) ? a : b)
SIM_FUNCTION(__hmin_nan, SIM_IS_NAN(a) || SIM_IS_NAN(b) ? SIM_NO_NAN : __hmin(a, b))
SIM_FUNCTION(__hmax_nan, SIM_IS_NAN(a) || SIM_IS_NAN(b) ? SIM_NO_NAN : __hmax(a, b))
#undef SIM_FUNCTION
#undef SIM_BOTH
SIM_INLINE T __hfma(T a, T b, T c) { return T(simulator::product_sum((float)a, (float)b, (float)c)); }
SIM_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
SIM_INLINE T __hneg(T a) { return -a; }
SIM_INLINE T __habs(T a) { return T::of_bits(a.sim_bits & 0x7fff); }
SIM_INLINE bool __hisnan(T a) { return SIM_IS_NAN(a); }
SIM_INLINE int __hisinf(T a) { return __builtin_isinf((float)a) ? ((float)a > 0 ? 1 : -1) : 0; }
SIM_INLINE bool __heq(T a, T b) { return a == b; }
SIM_INLINE bool __hne(T a, T b) { return (float)a < (float)b || (float)a > (float)b; }
SIM_INLINE bool __hneu(T a, T b) { return a != b; }
SIM_INLINE bool __hlt(T a, T b) { return a < b; }
SIM_INLINE bool __hle(T a, T b) { return a <= b; }
SIM_INLINE bool __hgt(T a, T b) { return a > b; }
SIM_INLINE bool __hge(T a, T b) { return a >= b; }
#define SIM_ROUNDED(name, function)                                                                          \
  SIM_INLINE T name(T a) { return T(function((double)(float)a)); }
SIM_ROUNDED(hsqrt, sqrt) SIM_ROUNDED(hrsqrt, rsqrt) SIM_ROUNDED(hexp, exp) SIM_ROUNDED(hexp2, exp2)
SIM_ROUNDED(hexp10, exp10) SIM_ROUNDED(hlog, log) SIM_ROUNDED(hlog2, log2) SIM_ROUNDED(hlog10, log10)
SIM_ROUNDED(hsin, sin) SIM_ROUNDED(hcos, cos) SIM_ROUNDED(htanh, tanh) SIM_ROUNDED(hrcp, 1.0 /)
SIM_ROUNDED(hfloor, floor) SIM_ROUNDED(hceil, ceil) SIM_ROUNDED(htrunc, trunc) SIM_ROUNDED(hrint, rint)
#undef SIM_ROUNDED

// Conversions by name: __float2half_rn, __half2int_rz, __int2bfloat16_rn, __half_as_ushort and so on.
#define SIM_NAMED(a, b, c) SIM_JOIN(a, SIM_JOIN(b, c))
SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, )(float x) { return T(x); }
SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, _rn)(float x) { return T(x); }
#define SIM_DIRECTED(suffix, rounding)                                                                       \
  SIM_INLINE T SIM_NAMED(__float2, SIM_FLOAT16_NAME, suffix)(float x) {                                      \
    return T::of_bits(simulator::narrow<SIM_FLOAT16_EXPONENT, SIM_FLOAT16_FRACTION>(x, simulator::rounding)); \
  }
SIM_DIRECTED(_rz, TO_ZERO) SIM_DIRECTED(_rd, DOWNWARD) SIM_DIRECTED(_ru, UPWARD)
#undef SIM_DIRECTED
#define SIM_FROM(I, name)                                                                                    \
  SIM_INLINE T SIM_NAMED(__##name##2, SIM_FLOAT16_NAME, _rn)(I x) { return T(x); }
SIM_FROM(int, int) SIM_FROM(unsigned, uint) SIM_FROM(short, short) SIM_FROM(unsigned short, ushort)
SIM_FROM(long long, ll) SIM_FROM(unsigned long long, ull)
#undef SIM_FROM
#define SIM_TO(I, name)                                                                                      \
  SIM_INLINE I SIM_NAMED(__, SIM_FLOAT16_NAME, 2##name##_rz)(T x) { return (I)x; }                           \
  SIM_INLINE I SIM_NAMED(__, SIM_FLOAT16_NAME, 2##name##_rn)(T x) { return (I)T(rintf((float)x)); }
SIM_TO(int, int) SIM_TO(unsigned, uint) SIM_TO(short, short) SIM_TO(unsigned short, ushort)
SIM_TO(long long, ll) SIM_TO(unsigned long long, ull)
#undef SIM_TO
SIM_INLINE unsigned short SIM_NAMED(__, SIM_FLOAT16_AS, _as_ushort)(T x) { return x.sim_bits; }
SIM_INLINE short SIM_NAMED(__, SIM_FLOAT16_AS, _as_short)(T x) { return (short)x.sim_bits; }
SIM_INLINE T SIM_NAMED(__ushort_as_, SIM_FLOAT16_AS, )(unsigned short x) { return T::of_bits(x); }
SIM_INLINE T SIM_NAMED(__short_as_, SIM_FLOAT16_AS, )(short x) { return T::of_bits((unsigned short)x); }
SIM_INLINE float __low2float(T2 a) { return (float)a.x; }
SIM_INLINE float __high2float(T2 a) { return (float)a.y; }

SIM_ATOMIC(atomicAdd, T, before + value)
SIM_INLINE T2 atomicAdd(T2 *place, T2 value, SIM_LINE) {
  T x = atomicAdd(&place->x, value.x, sim_line), y = atomicAdd(&place->y, value.y, sim_line);
  return {x, y};
}

#undef SIM_NAMED
#undef SIM_LESS
#undef SIM_IS_NAN
#undef SIM_NO_NAN
#undef T
#undef T2
