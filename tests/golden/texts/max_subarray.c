// max_subarray(xs: N.i32) -> i32 for all N
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return aligned_alloc(64, (bytes + 64) / 64 * 64);
}

static inline void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline int32_t max_i32(int32_t a, int32_t b) { return a >= b ? a : b; }

int max_subarray(int64_t N, const int32_t *restrict xs, int32_t *restrict output) {
  int status = 0;
  int32_t *const stored = allocate(N, sizeof(int32_t));
  int32_t *const stored_1 = allocate(N / 2048, sizeof(int32_t));
  int32_t *const stored_2 = allocate(N, sizeof(int32_t));
  if (stored != NULL && stored_1 != NULL && stored_2 != NULL) {
    int32_t ending;
    ending = 0;
    for (int64_t n = 0; n < N; n++) {
      ending = max_i32(ending + xs[n], 0);
      stored[n] = ending;
    }
    int32_t x;
    int32_t ending_1;
    ending_1 = 0;
    for (int64_t n = 0; n < N; n++) {
      ending_1 = max_i32(ending_1 + xs[n], 0);
      stored_2[n] = ending_1;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < N / 2048; i++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_i32(acc[n], stored_2[i * 2048 + i_row * 32 + n]);
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t n = 0; n < 32; n++) {
        x_1 = max_i32(x_1, acc[n]);
      }
      stored_1[i] = x_1;
    }
    int32_t x_1;
    x_1 = 0;
    for (int64_t i = 0; i < N / 2048; i++) {
      x_1 = max_i32(x_1, stored_1[i]);
    }
    x = x_1;
    for (int64_t n = 0; n < N % 2048; n++) {
      x = max_i32(x, stored[n + 2048 * (N / 2048)]);
    }
    output[0] = x;
  } else {
    report(&status, 1);
  }
  free(stored_2);
  free(stored_1);
  free(stored);
  return status;
}
