// running_max(xs: N.f32) -> N.f32 for all N
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void *new_memory(size_t bytes) { return aligned_alloc(64, bytes); }
static void *(*take_memory)(size_t bytes) = new_memory; // or where the caller keeps it for the next calls
static void (*give_memory)(void *memory) = free;

static __attribute__((malloc, noinline))
void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return take_memory((bytes + 64) / 64 * 64);
}

static inline void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int running_max(int64_t N, const float *restrict xs, float *restrict output) {
  int status = 0;
  float *const packed = allocate(N / 16384, sizeof(float));
  float *const maxima = allocate(N / 16384, sizeof(float));
  if (packed != NULL && maxima != NULL) {
    #pragma omp parallel for schedule(static) if(0 < N / 16384)
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = -INFINITY;
      }
      for (int64_t n_tile = 0; n_tile < 512; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_f32(acc[n], xs[n_block * 16384 + n_tile * 32 + n]);
        }
      }
      float packed_of_n_block;
      packed_of_n_block = -INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        packed_of_n_block = max_f32(packed_of_n_block, acc[n]);
      }
      packed[n_block] = packed_of_n_block;
    }
    float maximum_from_packed;
    maximum_from_packed = -INFINITY;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      maximum_from_packed = max_f32(maximum_from_packed, packed[n_block]);
      maxima[n_block] = maximum_from_packed;
    }
    for (int64_t n_block = 0; n_block < min_i64(N / 16384, 1); n_block++) {
      float maximum_of_n_block;
      maximum_of_n_block = 0 < n_block ? maxima[n_block - 1] : -INFINITY;
      for (int64_t n = 0; n < 16384; n++) {
        maximum_of_n_block = max_f32(maximum_of_n_block, xs[n_block * 16384 + n]);
        output[n_block * 16384 + n] = maximum_of_n_block;
      }
    }
    #pragma omp parallel for schedule(static) if(0 < N / 16384)
    for (int64_t n_block = 0; n_block < N / 16384 - 1; n_block++) {
      float maximum_of_n_block;
      maximum_of_n_block = maxima[n_block];
      for (int64_t n = 0; n < 16384; n++) {
        maximum_of_n_block = max_f32(maximum_of_n_block, xs[n_block * 16384 + n + 16384]);
        output[n_block * 16384 + n + 16384] = maximum_of_n_block;
      }
    }
    float maximum_from_xs;
    maximum_from_xs = -INFINITY;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      maximum_from_xs = max_f32(maximum_from_xs, packed[n_block]);
    }
    for (int64_t n = 0; n < N % 16384; n++) {
      const int64_t at_n = n + 16384 * (N / 16384);
      maximum_from_xs = max_f32(maximum_from_xs, xs[at_n]);
      output[at_n] = maximum_from_xs;
    }
  } else {
    report(&status, 1);
  }
  give_memory(maxima);
  give_memory(packed);
  return status;
}
