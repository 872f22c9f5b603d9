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
  int32_t *const packed = allocate(N, sizeof(int32_t));
  int32_t *const maxima = allocate(N / 2048, sizeof(int32_t));
  if (packed != NULL && maxima != NULL) {
    int32_t ending;
    ending = 0;
    for (int64_t n = 0; n < N; n++) {
      ending = max_i32(ending + xs[n], 0);
      packed[n] = ending;
    }
    int32_t maximum;
    #pragma omp parallel for schedule(static) if(7 < N / 2048)
    for (int64_t i = 0; i < N / 2048; i++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_i32(acc[n], packed[i * 2048 + i_row * 32 + n]);
        }
      }
      int32_t maximum_of_i;
      maximum_of_i = 0;
      for (int64_t n = 0; n < 32; n++) {
        maximum_of_i = max_i32(maximum_of_i, acc[n]);
      }
      maxima[i] = maximum_of_i;
    }
    maximum = 0;
    for (int64_t i = 0; i < N / 2048; i++) {
      maximum = max_i32(maximum, maxima[i]);
    }
    for (int64_t n = 0; n < N % 2048; n++) {
      maximum = max_i32(maximum, packed[n + 2048 * (N / 2048)]);
    }
    output[0] = maximum;
  } else {
    report(&status, 1);
  }
  free(maxima);
  free(packed);
  return status;
}
