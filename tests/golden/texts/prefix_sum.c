// prefix_sum(xs: N.i32) -> N.i32 for all N
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int prefix_sum(int64_t N, const int32_t *restrict xs, int32_t *restrict output) {
  int status = 0;
  int32_t *const packed = allocate(N / 16384, sizeof(int32_t));
  int32_t *const sums = allocate(N / 16384, sizeof(int32_t));
  if (packed != NULL && sums != NULL) {
    #pragma omp parallel for schedule(static) if(0 < N / 16384)
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0;
      }
      for (int64_t n_tile = 0; n_tile < 512; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = acc[n] + xs[n_block * 16384 + n_tile * 32 + n];
        }
      }
      int32_t packed_of_n_block;
      packed_of_n_block = 0;
      for (int64_t n = 0; n < 32; n++) {
        packed_of_n_block = packed_of_n_block + acc[n];
      }
      packed[n_block] = packed_of_n_block;
    }
    int32_t sum_from_packed;
    sum_from_packed = 0;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      sum_from_packed = sum_from_packed + packed[n_block];
      sums[n_block] = sum_from_packed;
    }
    for (int64_t n_block = 0; n_block < min_i64(N / 16384, 1); n_block++) {
      int32_t sum_of_n_block;
      sum_of_n_block = 0 < n_block ? sums[n_block - 1] : 0;
      for (int64_t n = 0; n < 16384; n++) {
        sum_of_n_block = sum_of_n_block + xs[n_block * 16384 + n];
        output[n_block * 16384 + n] = sum_of_n_block;
      }
    }
    #pragma omp parallel for schedule(static) if(0 < N / 16384)
    for (int64_t n_block = 0; n_block < N / 16384 - 1; n_block++) {
      int32_t sum_of_n_block;
      sum_of_n_block = sums[n_block];
      for (int64_t n = 0; n < 16384; n++) {
        sum_of_n_block = sum_of_n_block + xs[n_block * 16384 + n + 16384];
        output[n_block * 16384 + n + 16384] = sum_of_n_block;
      }
    }
    int32_t sum_from_xs;
    sum_from_xs = 0;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      sum_from_xs = sum_from_xs + packed[n_block];
    }
    for (int64_t n = 0; n < N % 16384; n++) {
      const int64_t at_n = n + 16384 * (N / 16384);
      sum_from_xs = sum_from_xs + xs[at_n];
      output[at_n] = sum_from_xs;
    }
  } else {
    report(&status, 1);
  }
  give_memory(sums);
  give_memory(packed);
  return status;
}
