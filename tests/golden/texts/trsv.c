// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
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

int trsv(int64_t N, const float *restrict lower, const float *restrict b, float *restrict output) {
  int status = 0;
  float *const solved = allocate(N, sizeof(float));
  if (solved != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      solved[n] = 0.0f;
    }
    for (int64_t n = 0; n < N; n++) {
      float sum;
      _Alignas(64) float acc[32];
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        acc[n_1] = 0.0f;
      }
      for (int64_t n_column_step = 0; n_column_step < N / 32; n_column_step++) {
        for (int64_t n_1 = 0; n_1 < 32; n_1++) {
          acc[n_1] = acc[n_1] + lower[n * N + n_column_step * 32 + n_1] * solved[n_column_step * 32 + n_1];
        }
      }
      sum = 0.0f;
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        sum = sum + acc[n_1];
      }
      for (int64_t n_1 = 0; n_1 < N % 32; n_1++) {
        sum = sum + lower[n * N + n_1 + 32 * (N / 32)] * solved[n_1 + 32 * (N / 32)];
      }
      const float next = (b[n] - sum) / lower[n * N + n];
      solved[n] = next;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      output[n] = solved[n];
    }
  } else {
    report(&status, 1);
  }
  free(solved);
  return status;
}
