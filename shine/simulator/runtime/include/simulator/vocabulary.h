// CUDA's words for host compilers: qualifiers, built-in indices and vectors, barriers.
// Included before every CUDA text. Includes no header of the system, so that names CUDA lacks stay unknown.
#pragma once
#include "simulator/interface.h"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL __null
// What nvcc declares for every text, as it includes some headers of the system.
typedef unsigned uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ u_int8_t;
typedef __UINT16_TYPE__ u_int16_t;
typedef __UINT32_TYPE__ u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
// The release whose headers and instructions are here, for texts that ask.
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define CUDART_VERSION 13000
#include "cstddef"
#include "limits.h"
#include "stdlib.h"
#include "string.h"

// To construct an object in memory that is there. Other forms of `new` need memory that no kernel can allocate.
inline __attribute__((always_inline)) void *operator new(size_t, void *at) noexcept { return at; }
inline __attribute__((always_inline)) void *operator new[](size_t, void *at) noexcept { return at; }

#define __global__ __attribute__((visibility("default"), noinline))
#define __device__
#define __host__
#define __constant__ static
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define SIM_JOINED(a, b) a##b
#define SIM_JOIN(a, b) SIM_JOINED(a, b)
#define SIM_IN_SHARED __attribute__((section("sim_shared"), used))
#ifndef SIM_RED_ZONE
#define SIM_RED_ZONE 64
#endif
// A red zone stands before the arrays of every declaration.
#define __CUDACC__ 1
#define __NVCC__ 1
#define SIMULATED_CUDA 1 // gcc compiles the text itself, with its builtin functions and its defects
#define __shared__                                                                                        \
  static SIM_IN_SHARED __attribute__((aligned(64))) unsigned char SIM_JOIN(sim_zone_, __COUNTER__)[SIM_RED_ZONE]; \
  static SIM_IN_SHARED

#define SIM_UNSET(name, line) sim_fill_unset((void *)&name, sizeof(name), #name, line);
#define SIM_LOCAL(name) simulator::Local<decltype(name)> SIM_JOIN(sim_local_, __COUNTER__)(name);
#define SIM_INLINE static inline __attribute__((always_inline))
namespace simulator {
// A value that is assigned as a whole, where C++ compilers would assign one component after the other.
template <class T> SIM_INLINE T whole(T value) { return value; }
}  // namespace simulator
#define SIM_LINE int sim_line = __builtin_LINE()

typedef simulator::Index3 uint3;
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
extern "C" SIM_HIDDEN simulator::Index3 sim_thread, sim_block, sim_block_size, sim_grid_size, sim_cluster_size;
extern "C" SIM_HIDDEN unsigned char sim_dynamic_shared[];
#define threadIdx sim_thread
#define blockIdx sim_block
#define blockDim sim_block_size
#define gridDim sim_grid_size
static constexpr int warpSize = 32;

#define SIM_VECTORS(T, base, a1, a2, a3, a4)                                                                 \
  struct __align__(a1) base##1 { T x; };                                                                     \
  struct __align__(a2) base##2 { T x, y; };                                                                  \
  struct __align__(a3) base##3 { T x, y, z; };                                                               \
  struct __align__(a4) base##4 { T x, y, z, w; };                                                            \
  SIM_INLINE base##1 make_##base##1(T x) { return {x}; }                                                     \
  SIM_INLINE base##2 make_##base##2(T x, T y) { return {x, y}; }                                             \
  SIM_INLINE base##3 make_##base##3(T x, T y, T z) { return {x, y, z}; }                                     \
  SIM_INLINE base##4 make_##base##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SIM_VECTORS(signed char, char, 1, 2, 1, 4)
SIM_VECTORS(unsigned char, uchar, 1, 2, 1, 4)
SIM_VECTORS(short, short, 2, 4, 2, 8)
SIM_VECTORS(unsigned short, ushort, 2, 4, 2, 8)
SIM_VECTORS(int, int, 4, 8, 4, 16)
SIM_VECTORS(float, float, 4, 8, 4, 16)
SIM_VECTORS(long long, longlong, 8, 16, 8, 16)
SIM_VECTORS(unsigned long long, ulonglong, 8, 16, 8, 16)
SIM_VECTORS(double, double, 8, 16, 8, 16)
SIM_VECTORS(long, long, 8, 16, 8, 16)
SIM_VECTORS(unsigned long, ulong, 8, 16, 8, 16)
struct uint1 { unsigned x; };
struct __align__(8) uint2 { unsigned x, y; };
struct __align__(16) uint4 { unsigned x, y, z, w; };
SIM_INLINE uint1 make_uint1(unsigned x) { return {x}; }
SIM_INLINE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
SIM_INLINE uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
SIM_INLINE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

SIM_INLINE void __syncthreads(SIM_LINE) { sim_syncthreads(sim_line); }
SIM_INLINE int __syncthreads_count(int p, SIM_LINE) {
  return sim_syncthreads_vote(p, simulator::VOTE_COUNT, sim_line);
}
SIM_INLINE int __syncthreads_and(int p, SIM_LINE) {
  return sim_syncthreads_vote(p, simulator::VOTE_ALL, sim_line);
}
SIM_INLINE int __syncthreads_or(int p, SIM_LINE) {
  return sim_syncthreads_vote(p, simulator::VOTE_ANY, sim_line);
}
SIM_INLINE void __syncwarp(unsigned mask = 0xffffffffu, SIM_LINE) { sim_syncwarp(mask, sim_line); }
SIM_INLINE void __threadfence_block() { sim_fence(simulator::OF_BLOCK); }
SIM_INLINE void __threadfence_cluster() { sim_fence(simulator::OF_DEVICE); }
SIM_INLINE void __threadfence() { sim_fence(simulator::OF_DEVICE); }
SIM_INLINE void __threadfence_system() { sim_fence(simulator::OF_DEVICE); }
SIM_INLINE void __nanosleep(unsigned, SIM_LINE) { sim_yield(sim_line); }
SIM_INLINE void __trap(SIM_LINE) { sim_trap(sim_line); }
// No grid precedes or follows, and nothing is profiled or assumed.
SIM_INLINE void cudaGridDependencySynchronize() {}
SIM_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
SIM_INLINE void __prof_trigger(int) {}
#define __builtin_assume(...) ((void)0)
SIM_INLINE long long clock64() { return sim_clock(); }
typedef long clock_t;
SIM_INLINE clock_t clock() { return (clock_t)sim_clock(); }
#define printf sim_printf
#include "assert.h"
template <class T> SIM_INLINE T __ldg(const T *place) { return *place; }
template <class T> SIM_INLINE T __ldca(const T *place) { return *place; }
template <class T> SIM_INLINE T __ldcg(const T *place) { return *place; }
template <class T> SIM_INLINE T __ldcs(const T *place) { return *place; }
template <class T> SIM_INLINE T __ldcv(const T *place) { return *(const volatile T *)place; }
template <class T> SIM_INLINE T __ldlu(const T *place) { return *place; }
template <class T> SIM_INLINE void __stwb(T *place, T value) { *place = value; }
template <class T> SIM_INLINE void __stwt(T *place, T value) { *place = value; }
template <class T> SIM_INLINE void __stcg(T *place, T value) { *place = value; }
template <class T> SIM_INLINE void __stcs(T *place, T value) { *place = value; }

namespace simulator {

// Stands beside a local array without initial values in checked builds. Of structures some members may stay without
// values, so only arrays of numbers are tracked (16-bit ones are classes), and fragments.
template <class T> constexpr bool is_fragment(decltype(T::num_storage_elements) *) { return true; }
template <class T> constexpr bool is_fragment(...) { return false; }
template <class T> struct IsTracked {
  static constexpr bool is_number = !__is_class(T) && !__is_union(T);
  static constexpr bool value = is_number || is_fragment<T>(nullptr) || (sizeof(T) == 2 && __has_trivial_constructor(T));
};
template <class T, size_t N> struct IsTracked<T[N]> : IsTracked<T> {};
template <class T, bool = IsTracked<T>::value> struct Local {
  inline __attribute__((always_inline)) Local(const volatile T &) {}
};
template <class T> struct Local<T, true> {
  const volatile void *at;
  inline __attribute__((always_inline)) Local(const volatile T &array) : at(&array) { sim_begin_local(at, sizeof(T)); }
  inline __attribute__((always_inline)) ~Local() { sim_end_local(at, sizeof(T)); }
};

template <class To, class From> SIM_INLINE To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

// Dynamic shared memory whose arrays lie apart: an offset is mapped to its array's own place.
template <class T> struct DynamicShared {
  SIM_INLINE T *at(unsigned long long offset) { return (T *)sim_dynamic(offset * sizeof(T)); }
  inline __attribute__((always_inline)) T *operator+(unsigned long long offset) const { return at(offset); }
};

// A pointer that a text declares to be at an offset of shared memory: it may be to an array that lies apart.
template <class T> inline __attribute__((always_inline)) T *array_at(unsigned pointer, T *memory, unsigned long long offset) {
  return (T *)sim_array_at(pointer, (const void *)memory, offset * sizeof(T));
}
template <class T>
inline __attribute__((always_inline)) T *array_at(unsigned pointer, const DynamicShared<T> &, unsigned long long offset) {
  return (T *)sim_array_at(pointer, nullptr, offset * sizeof(T));
}

// Kernels are called through an array of pointers to their arguments.
template <class T> constexpr bool is_number(decltype((T)0.5 != (T)0) *) { return !__is_class(T) && !__is_union(T); }
template <class T> constexpr bool is_number(...) { return false; }
template <class T> constexpr bool is_float16(decltype(T::sim_bits) *) { return true; }
template <class T> constexpr bool is_float16(...) { return false; }
template <class T, bool is_class = __is_class(T) || __is_union(T)> struct KindOf {
  static constexpr char value = (T)0.5 != (T)0 && (T)2 != (T)1 ? 'f' : 'i';
  static constexpr int bytes = (int)sizeof(T);
};
template <class T> struct KindOf<T, true> {
  static constexpr char value = 's';
  static constexpr int bytes = (int)sizeof(T);
};
template <class T, bool = is_number<T>(nullptr)> struct PointerTo {
  static constexpr char value = is_float16<T>(nullptr) ? 'F' : 'p';
  static constexpr int bytes = value == 'F' ? 2 : (int)sizeof(void *);
};
template <class T> struct PointerTo<T, true> {
  static constexpr char value = KindOf<T>::value == 'f' ? 'F' : 'I';
  static constexpr int bytes = (int)sizeof(T);
};
template <class T> struct KindOf<T *, false> : PointerTo<T> {};
template <size_t... I> struct Indices {};
template <size_t N, size_t... I> struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <size_t... I> struct MakeIndices<0, I...> {
  typedef Indices<I...> type;
};
template <class... A> struct Parameters {
  static constexpr int count = sizeof...(A);
  static constexpr int sizes[] = {KindOf<A>::bytes..., 0};
  static constexpr char kinds[] = {KindOf<A>::value..., 0};
};
template <class R, class... A> Parameters<A...> parameters_of(R (*)(A...));
template <class R, class... A, size_t... I>
__attribute__((always_inline, no_sanitize("thread", "alignment"))) inline void call(R (*kernel)(A...), void **arguments,
                                                                           Indices<I...>) {
  kernel(*(A *)arguments[I]...);
}
template <class R, class... A>
__attribute__((always_inline, no_sanitize("thread", "alignment"))) inline void call_all(R (*kernel)(A...), void **arguments) {
  call(kernel, arguments, typename MakeIndices<sizeof...(A)>::type());
}

template <class... A> constexpr bool returns_nothing(void (*)(A...)) { return true; }
template <class R, class... A> constexpr bool returns_nothing(R (*)(A...)) { return false; }

}  // namespace simulator

#define SIM_KERNEL(...) static_assert(simulator::returns_nothing(__VA_ARGS__), "expected a kernel that returns void");
// Kernels by number; the rest is the name, which may have commas.
#define SIM_ENTRY(number, ...)                                                                               \
  __attribute__((no_sanitize("thread", "alignment"), used)) static void sim_run_##number(void **arguments) { \
    simulator::call_all(__VA_ARGS__, arguments);                                                             \
  }
#define SIM_ROW(number, ...)                                                                                 \
  {#__VA_ARGS__, sim_run_##number, decltype(simulator::parameters_of(__VA_ARGS__))::count,                   \
   decltype(simulator::parameters_of(__VA_ARGS__))::sizes, decltype(simulator::parameters_of(__VA_ARGS__))::kinds},
#define SIM_TABLE(count, rows)                                                                               \
  extern "C" SIM_VISIBLE const simulator::Kernel sim_kernels[] = {rows};                                     \
  extern "C" SIM_VISIBLE const int sim_kernel_count = count;

#include "simulator/clusters.h"
#include "simulator/warp.h"
#include "simulator/mathematics.h"
#include "cmath"
#include "simulator/atomics.h"

// Assembly of the text is replaced before (`assembly.py`), but for empty statements; what is left is a mistake.
#define SIM_ORDER __asm__ volatile
#pragma GCC poison asm __asm__ __asm
