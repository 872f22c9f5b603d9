// PTX instructions as functions, which inline assembly becomes calls of (`ptx.py` has the table). Those of whole warps on
// matrices, and copies, are the runtime's.
#pragma once
#include "simulator/narrow_floats.h"

SIM_INLINE size_t __cvta_generic_to_shared(const void *at) { return sim_shared_address(at); }
SIM_INLINE void *__cvta_shared_to_generic(size_t address, SIM_LINE) { return sim_shared_pointer(address, true, sim_line); }
SIM_INLINE size_t __cvta_generic_to_global(const void *at) { return (size_t)at; }
SIM_INLINE void *__cvta_global_to_generic(size_t address) { return (void *)address; }
SIM_INLINE unsigned __isShared(const void *at) { return sim_shared_address(at) != 0; }

namespace simulator {
namespace ptx {

template <class T> struct Same { typedef T type; };
template <class T, class U> struct IsSame { static constexpr bool value = false; };
template <class T> struct IsSame<T, T> { static constexpr bool value = true; };
template <class T> constexpr bool is_real = IsSame<T, float>::value || IsSame<T, double>::value;

// The same bits as another type; a predicate is 0 or 1.
template <class To, class From> SIM_INLINE To as(From from) {
  if constexpr (IsSame<To, From>::value) return from;
  else return same_bits<To>(from);
}

// A register of type R from an expression, and back: CUDA takes operands of exactly a constraint's size and kind.
template <class R, class T> SIM_INLINE R taken(const T &value) {
  static_assert(sizeof(R) == sizeof(T) && is_real<R> == is_real<T> && !__is_class(T),
                "wrong assembly: expected operands of the sizes and kinds of their constraints");
  return (R)value;
}
template <class R, class T> SIM_INLINE void give(T &to, R value) {
  static_assert(sizeof(R) == sizeof(T) && is_real<R> == is_real<T> && !__is_class(T),
                "wrong assembly: expected operands of the sizes and kinds of their constraints");
  to = (T)value;
}
template <class R, class T> SIM_INLINE void widen(R &to, T value) {
  if constexpr (is_real<R>) {
    unsigned long long bits = (unsigned long long)value;
    __builtin_memcpy(&to, &bits, sizeof to);
  } else {
    to = (R)value;
  }
}

// Addresses. Those of shared memory have a window of their own, in which other blocks of the cluster have parts.
struct Shared {
  unsigned long long address;
  int line;
  bool of_cluster;
  template <class T> T *at() const { return (T *)sim_shared_pointer(address, of_cluster, line); }
};
struct Global {
  unsigned long long address;
  int line;
  template <class T> T *at() const { return (T *)address; }
};

SIM_INLINE unsigned lane() { return sim_lane(); }
SIM_INLINE unsigned thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
SIM_INLINE unsigned warp() { return thread() / 32; }
SIM_INLINE unsigned number_of_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
constexpr unsigned multiprocessors = 132;
SIM_INLINE unsigned warps() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }

// Arithmetic. Integers wrap around.
template <class T> SIM_INLINE T mov(T x) { return x; }
template <class T> SIM_INLINE T add(T x, T y) { return (T)(x + y); }
template <class T> SIM_INLINE T sub(T x, T y) { return (T)(x - y); }
template <class T> SIM_INLINE T mul(T x, T y) { return (T)(x * y); }
template <class T> SIM_INLINE T mad(T x, T y, T z) { return (T)(x * y + z); }
template <class T> SIM_INLINE T div(T x, T y) { return (T)(x / y); }
template <class T> SIM_INLINE T rem(T x, T y) { return (T)(x % y); }
template <class T> SIM_INLINE T neg(T x) { return (T)-x; }
template <class T> SIM_INLINE T abs(T x) { return x < 0 ? (T)-x : x; }
template <> inline __attribute__((always_inline)) float abs(float x) { return __builtin_fabsf(x); }
template <> inline __attribute__((always_inline)) double abs(double x) { return __builtin_fabs(x); }
template <class T> SIM_INLINE T min(T x, T y) { return y != y || x < y ? x : y; }
template <class T> SIM_INLINE T max(T x, T y) { return y != y || x > y ? x : y; }
// A NaN if one is a NaN; -0 is less than +0.
SIM_INLINE float min_nan(float x, float y) {
  if (x != x || y != y) return __builtin_nanf("");
  return x < y || (x == y && __builtin_signbit(x)) ? x : y;
}
SIM_INLINE float max_nan(float x, float y) {
  if (x != x || y != y) return __builtin_nanf("");
  return x > y || (x == y && !__builtin_signbit(x)) ? x : y;
}
template <class T> SIM_INLINE T mul_hi(T x, T y) {
  if constexpr (sizeof(T) == 8) {
    if constexpr (IsSame<T, long long>::value) return (T)((__int128)x * y >> 64);
    else return (T)((unsigned __int128)x * y >> 64);
  } else {
    return (T)((long long)x * (long long)y >> 8 * sizeof(T));
  }
}
template <class W, class T> SIM_INLINE W mul_wide(T x, T y) { return (W)x * (W)y; }
template <class W, class T> SIM_INLINE W mad_wide(T x, T y, W z) { return (W)x * (W)y + z; }
SIM_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
SIM_INLINE double fma(double x, double y, double z) { return ::fma(x, y, z); }
template <class T> SIM_INLINE T rcp(T x) { return 1 / x; }
SIM_INLINE float sqrt(float x) { return sqrtf(x); }
SIM_INLINE double sqrt(double x) { return ::sqrt(x); }
SIM_INLINE float rsqrt(float x) { return rsqrtf(x); }
SIM_INLINE float exp2(float x) { return exp2f(x); }
SIM_INLINE float log2(float x) { return log2f(x); }
SIM_INLINE float sin(float x) { return sinf(x); }
SIM_INLINE float cos(float x) { return cosf(x); }
SIM_INLINE float tanh(float x) { return tanhf(x); }
#define SIM_COMPARISON(name, relation)                                                                       \
  template <class T> SIM_INLINE bool name(T x, T y) { return x relation y; }                                 \
  template <class T> SIM_INLINE unsigned set_##name(T x, T y) { return x relation y ? ~0u : 0; }
SIM_COMPARISON(eq, ==)
SIM_COMPARISON(ne, !=)
SIM_COMPARISON(lt, <)
SIM_COMPARISON(le, <=)
SIM_COMPARISON(gt, >)
SIM_COMPARISON(ge, >=)
// Not-equal of numbers is false where one is a NaN, unlike in C++.
template <> inline __attribute__((always_inline)) bool ne(float x, float y) { return x < y || x > y; }
template <> inline __attribute__((always_inline)) bool ne(double x, double y) { return x < y || x > y; }
template <> inline __attribute__((always_inline)) unsigned set_ne(float x, float y) { return ne(x, y) ? ~0u : 0; }
template <> inline __attribute__((always_inline)) unsigned set_ne(double x, double y) { return ne(x, y) ? ~0u : 0; }
template <class T> SIM_INLINE T selp(T x, T y, bool p) { return p ? x : y; }

// 16-bit floating-point numbers: one, or two in a register. Each operation rounds once.
template <bool half> SIM_INLINE double wide(Bits16 x) { return half ? float_of_half(x) : float_of_bfloat(x); }
template <bool half> SIM_INLINE Bits16 rounded16(double x) { return half ? narrow<5, 10>(x) : narrow<8, 7>(x); }
#define SIM_ON_16(name, expression)                                                                          \
  template <bool half> struct On##name {                                                                     \
    static SIM_UNSEEN_INLINE Bits16 of(Bits16 a, Bits16 b, Bits16 c) {                                       \
      double x = wide<half>(a), y = wide<half>(b), z = wide<half>(c);                                        \
      (void)z;                                                                                               \
      return rounded16<half>(expression);                                                                    \
    }                                                                                                        \
  };                                                                                                         \
  typedef On##name<true> Half##name;                                                                         \
  typedef On##name<false> BFloat##name;
#define SIM_UNSEEN_INLINE inline __attribute__((always_inline))
SIM_ON_16(Add, x + y)
SIM_ON_16(Sub, x - y)
SIM_ON_16(Mul, x *y)
SIM_ON_16(Min, y != y || x < y ? x : y)
SIM_ON_16(Max, y != y || x > y ? x : y)
SIM_ON_16(Fma, product_sum(x, y, z))
template <class Op> SIM_INLINE Bits16 each(Bits16 x, Bits16 y, Bits16 z = 0) { return Op::of(x, y, z); }
template <class Op> SIM_INLINE unsigned each(unsigned x, unsigned y, unsigned z = 0) {
  return Op::of((Bits16)x, (Bits16)y, (Bits16)z) |
         (unsigned)Op::of((Bits16)(x >> 16), (Bits16)(y >> 16), (Bits16)(z >> 16)) << 16;
}

// Bits.
template <class T> SIM_INLINE T and_bits(T x, T y) { return (T)(x & y); }
template <class T> SIM_INLINE T or_bits(T x, T y) { return (T)(x | y); }
template <class T> SIM_INLINE T xor_bits(T x, T y) { return (T)(x ^ y); }
template <class T> SIM_INLINE T not_bits(T x) { return (T)~x; }
template <> inline __attribute__((always_inline)) bool not_bits(bool x) { return !x; }
template <class T> SIM_INLINE T shl(T x, unsigned by) { return by >= 8 * sizeof(T) ? 0 : (T)(x << by); }
template <class T> SIM_INLINE T shr(T x, unsigned by) {
  unsigned most = 8 * sizeof(T) - 1;
  return by > most ? (T)(x >> most >> (x < 0 ? 0 : 1)) : (T)(x >> by);
}
SIM_INLINE unsigned popc(unsigned x) { return (unsigned)__popc(x); }
SIM_INLINE unsigned popc(unsigned long long x) { return (unsigned)__popcll(x); }
SIM_INLINE unsigned clz(unsigned x) { return (unsigned)__clz((int)x); }
SIM_INLINE unsigned clz(unsigned long long x) { return (unsigned)__clzll((long long)x); }
SIM_INLINE unsigned brev(unsigned x) { return __brev(x); }
SIM_INLINE unsigned long long brev(unsigned long long x) { return __brevll(x); }
template <class T> SIM_INLINE unsigned bfind(T x) {
  unsigned long long bits = (unsigned long long)(x < 0 ? ~x : x);
  return bits ? 63 - (unsigned)__builtin_clzll(bits) : ~0u;
}
// Bits from a position on; beyond the highest bit the sign.
template <class T> SIM_INLINE T bfe(T x, unsigned position, unsigned length) {
  constexpr unsigned most = 8 * sizeof(T) - 1;
  position &= 0xff, length &= 0xff;
  unsigned top = position + length - 1 < most ? position + length - 1 : most;
  bool sign = length && x < 0 && (unsigned long long)x >> top & 1;
  T result = 0;
  for (unsigned i = 0; i <= most; i++) {
    bool bit = i < length && position + i <= most ? (unsigned long long)x >> (position + i) & 1 : sign;
    result = (T)(result | (T)((unsigned long long)bit << i));
  }
  return result;
}
template <> inline __attribute__((always_inline)) int bfe(int x, unsigned position, unsigned length) {
  position &= 0xff, length &= 0xff;
  if (!length) return 0;
  unsigned top = position + length - 1 < 31 ? position + length - 1 : 31;
  unsigned long long sign = (unsigned)x >> top & 1 ? ~0ull : 0;
  unsigned long long bits = position > 31 ? sign : (sign << 32 | (unsigned)x) >> position;
  return length > 31 ? (int)bits : (int)((bits & ((1ull << length) - 1)) | (sign << length));
}
template <> inline __attribute__((always_inline)) long long bfe(long long x, unsigned position, unsigned length) {
  position &= 0xff, length &= 0xff;
  if (!length) return 0;
  unsigned top = position + length - 1 < 63 ? position + length - 1 : 63;
  unsigned long long sign = (unsigned long long)x >> top & 1 ? ~0ull : 0;
  unsigned long long bits = position > 63 ? sign : (unsigned long long)((__int128)x >> position);
  return length > 63 ? (long long)bits : (long long)((bits & ((1ull << length) - 1)) | (sign << length));
}
template <class T> SIM_INLINE T bfi(T bits, T into, unsigned position, unsigned length) {
  constexpr unsigned size = 8 * sizeof(T);
  position &= 0xff, length &= 0xff;
  T mask = length >= size ? (T)~(T)0 : (T)(((T)1 << length) - 1);
  if (position >= size) return into;
  return (T)((into & ~(mask << position)) | (bits & mask) << position);
}
SIM_INLINE unsigned lop3(unsigned a, unsigned b, unsigned c, int table) {
  unsigned result = 0;
  for (int i = 0; i < 8; i++)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

// Conversions.
template <class To, class From> SIM_INLINE To to(From x) { return (To)x; }
template <class To, char way, class From> SIM_INLINE To rounded(From x) {
  double y = (double)x;
  y = way == 'n' ? __builtin_rint(y) : way == 'z' ? __builtin_trunc(y) : way == 'm' ? __builtin_floor(y) : __builtin_ceil(y);
  constexpr bool is_signed = (To)-1 < (To)0;
  constexpr double least = is_signed ? -(double)(1ull << (8 * sizeof(To) - 1)) : 0;
  constexpr double beyond = (is_signed ? 1.0 : 2.0) * (double)(1ull << (8 * sizeof(To) - 1));
  if (y != y) return 0;
  if (y < least) return (To)least;
  if (y >= beyond) return (To)(is_signed ? (~0ull >> 1) >> (64 - 8 * sizeof(To)) : ~0ull);
  return (To)y;
}
template <class To, class From, size_t n> SIM_INLINE To pack(const From (&parts)[n]) {
  static_assert(sizeof(To) == sizeof parts, "as many bits");
  To all;
  __builtin_memcpy(&all, parts, sizeof all);
  return all;
}
template <class To, class From, size_t n> SIM_INLINE void unpack(To (&parts)[n], From all) {
  static_assert(sizeof(From) == sizeof parts, "as many bits");
  __builtin_memcpy(parts, &all, sizeof all);
}
SIM_INLINE float float_of_f16(Bits16 x) { return float_of_half(x); }
SIM_INLINE float float_of_bf16(Bits16 x) { return float_of_bfloat(x); }
SIM_INLINE Bits16 f16_of(float x) { return half_of(x); }
SIM_INLINE Bits16 bf16_of(float x) { return bfloat_of(x); }
SIM_INLINE unsigned two_f16_of(float high, float low) { return (unsigned)half_of(high) << 16 | half_of(low); }
SIM_INLINE unsigned two_bf16_of(float high, float low) { return (unsigned)bfloat_of(high) << 16 | bfloat_of(low); }
// To 10 bits of fraction, halves away from zero.
SIM_INLINE unsigned tf32_of(float x) {
  unsigned bits = same_bits<unsigned>(x);
  return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & 0xffffe000;
}
SIM_INLINE unsigned long long to_shared(unsigned long long at) { return sim_shared_address((const void *)at); }
SIM_INLINE unsigned long long from_shared(unsigned long long address, int line) {
  return (unsigned long long)sim_shared_pointer(address, true, line);
}

// Memory. Registers in braces are one access, which must be aligned as a whole.
template <class T, class Address> SIM_INLINE T load(Address from) { return *from.template at<const T>(); }
template <class T, class Address> SIM_INLINE void store(Address to, typename Same<T>::type value) { *to.template at<T>() = value; }
template <class T, size_t n> struct __attribute__((aligned(sizeof(T) * n))) Vector {
  T x[n];
};
template <class T, class R, size_t n, class Address> SIM_INLINE void load(R (&to)[n], Address from) {
  Vector<R, n> read = *(const Vector<R, n> *)from.template at<const R>();
  for (size_t i = 0; i < n; i++) to[i] = read.x[i];
}
template <class T, class R, size_t n, class Address> SIM_INLINE void store(Address to, const R (&values)[n]) {
  Vector<R, n> written;
  for (size_t i = 0; i < n; i++) written.x[i] = values[i];
  *(Vector<R, n> *)to.template at<R>() = written;
}
SIM_INLINE void nothing(Global) {}

SIM_INLINE void copy_async_ca(Shared to, Global from, int bytes, unsigned read, int line) {
  sim_copy(to.at<void>(), from.at<void>(), (unsigned)bytes, read < (unsigned)bytes ? (unsigned)bytes - read : 0, line);
}
SIM_INLINE void copy_async_ca(Shared to, Global from, int bytes, int line) { copy_async_ca(to, from, bytes, (unsigned)bytes, line); }
// The cache at the level of all multiprocessors takes 16 bytes at once, others are no instruction.
SIM_INLINE void copy_async_cg(Shared to, Global from, int bytes, unsigned read, int line) {
  copy_async_ca(to, from, bytes == 16 ? 16 : 0, read, line);
}
SIM_INLINE void copy_async_cg(Shared to, Global from, int bytes, int line) { copy_async_cg(to, from, bytes, (unsigned)bytes, line); }
SIM_INLINE void commit_group() { sim_commit_copies(); }
SIM_INLINE void wait_group(int but) { sim_wait_for_copies((unsigned)but); }
SIM_INLINE void wait_all() { sim_commit_copies(), sim_wait_for_copies(0); }

// Threads.
// Number 0 without a count is `__syncthreads()`.
template <bool by_warps> SIM_INLINE void block_barrier(unsigned id, int line) {
  if (id == 0) sim_syncthreads(line);
  else sim_named_sync(id, 0, false, by_warps, 0, -1, line);
}
template <bool by_warps> SIM_INLINE void named_sync(unsigned id, unsigned count, int line) {
  sim_named_sync(id, count, true, by_warps, 0, -1, line);
}
template <bool by_warps> SIM_INLINE void named_arrive(unsigned id, unsigned count, int line) {
  sim_named_arrive(id, count, by_warps, line);
}
template <bool by_warps, int vote> SIM_INLINE unsigned named_red(unsigned id, unsigned count, bool p, int line) {
  return sim_named_sync(id, count, true, by_warps, p, vote, line);
}
template <bool by_warps, int vote> SIM_INLINE unsigned named_red(unsigned id, bool p, int line) {
  return id == 0 ? (unsigned)sim_syncthreads_vote(p, vote, line) : sim_named_sync(id, 0, false, by_warps, p, vote, line);
}
template <bool by_warps, int vote> SIM_INLINE bool named_holds(unsigned id, unsigned count, bool p, int line) {
  return named_red<by_warps, vote>(id, count, p, line) != 0;
}
template <bool by_warps, int vote> SIM_INLINE bool named_holds(unsigned id, bool p, int line) {
  return named_red<by_warps, vote>(id, p, line) != 0;
}
// A lane of the mask, the first here, and whether it is the one that asks.
struct Elected {
  unsigned value;
  bool holds;
};
SIM_INLINE Elected elect(unsigned mask, int line) {
  sim_vote(mask, 1, VOTE_BALLOT, line);
  unsigned first = (unsigned)__builtin_ctz(mask);
  return {first, sim_lane() == first};
}
SIM_INLINE void warp_barrier(unsigned mask, int line) { sim_syncwarp(mask, line); }
SIM_INLINE unsigned active_lanes() { return sim_active(); }
template <int kind> SIM_INLINE unsigned vote(bool p, unsigned mask, int line) { return sim_vote(mask, p, kind, line); }
template <int kind> SIM_INLINE bool holds(bool p, unsigned mask, int line) { return sim_vote(mask, p, kind, line) != 0; }
// The third operand has the highest lane in reach (the lowest for `up`), and from bit 8 on which bits of a lane's number
// tell its group.
template <int kind> SIM_INLINE unsigned shuffle_lanes(unsigned value, unsigned by, unsigned clamp, unsigned mask, int line) {
  return (unsigned)sim_shuffle(mask, value, (int)by, 32 - (int)(clamp >> 8 & 31), kind, line);
}
// The mask comes last here, and first in CUDA C++.
#define SIM_REDUX(name)                                                                        \
  template <class T> SIM_INLINE T reduce_##name(T value, unsigned mask, int line) {            \
    return __reduce_##name##_sync(mask, value, line);                                          \
  }
SIM_REDUX(add) SIM_REDUX(min) SIM_REDUX(max) SIM_REDUX(and) SIM_REDUX(or) SIM_REDUX(xor)
#undef SIM_REDUX
SIM_INLINE void sleep(unsigned, int line) { sim_yield(line); }
SIM_INLINE void trap(int line) { sim_trap(line); }

// Matrices of warps. Which lane holds which element is documented, unlike for `nvcuda::wmma`.
template <int count, bool transposed> SIM_INLINE void load_matrices(unsigned (&to)[count], Shared row, int line) {
  sim_load_matrices(to, row.address, count, transposed, line);
}
template <int count, bool transposed> SIM_INLINE void store_matrices(Shared row, const unsigned (&from)[count], int line) {
  sim_store_matrices(from, row.address, count, transposed, line);
}
template <int m, int n, int k, int D, int A, int B> struct Kinds {
  static constexpr FragmentKind sum = {ACCUMULATOR, D, m, n, k, m * n / 32, 1, DOCUMENTED};
  static constexpr FragmentKind a = {MATRIX_A, A, m, n, k, m * k / 32, 1, DOCUMENTED};
  static constexpr FragmentKind b = {MATRIX_B, B, m, n, k, k * n / 32, 1, DOCUMENTED};
  static constexpr const FragmentKind *all[4] = {&sum, &a, &b, &sum};
};
template <int m, int n, int k, int D, int A, int B, bool saturates, class T, size_t nd, class U, size_t na, size_t nb>
SIM_INLINE void multiply_matrices(T (&d)[nd], const U (&a)[na], const U (&b)[nb], const T (&c)[nd], int line) {
  sim_fragment_multiply(Kinds<m, n, k, D, A, B>::all, d, a, b, c, saturates, line);
}
template <int m, int depth, int bits, bool a_is_signed, bool b_is_signed, int operation, bool saturates> struct NarrowOf {
  static constexpr NarrowKind kind = {m, depth, bits, a_is_signed, b_is_signed, operation, saturates};
};
template <int m, int depth, int bits, bool a_is_signed, bool b_is_signed, int operation, bool saturates, size_t nd, size_t na, size_t nb>
SIM_INLINE void multiply_narrow(int (&d)[nd], const unsigned (&a)[na], const unsigned (&b)[nb], const int (&c)[nd], int line) {
  static_assert(nb == depth && na == depth * m / 8 && nd == m / 4, "as many registers as the table says");
  sim_multiply_narrow(d, a, b, c, &NarrowOf<m, depth, bits, a_is_signed, b_is_signed, operation, saturates>::kind, line);
}
// m8n8k4: four products at once, one for each four lanes and the four that are 16 further.
template <int number, bool a_by_rows, bool b_by_rows, class T, size_t n>
SIM_INLINE void multiply_quads(T (&d)[n], const unsigned (&a)[2], const unsigned (&b)[2], const T (&c)[n], int line) {
  sim_multiply_quads(d, a, b, c, number, a_by_rows, b_by_rows, line);
}

}  // namespace ptx
}  // namespace simulator

#include "simulator/ptx_orders.h"
#include "simulator/ptx_asynchronous.h"
