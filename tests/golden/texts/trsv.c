// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
#include <stdbool.h>
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
    for (int64_t n_row = 0; n_row < N; n_row++) {
      float *const next_from_solved = allocate(N, sizeof(float));
      if (next_from_solved != NULL) {
        float sum;
        _Alignas(64) float acc[32];
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = 0.0f;
        }
        for (int64_t n_column_step = 0; n_column_step < N / 32; n_column_step++) {
          __builtin_prefetch(&lower[(n_row + 1) * N + n_column_step * 32]);
          __builtin_prefetch(&lower[(n_row + 1) * N + n_column_step * 32 + 16]);
          for (int64_t n = 0; n < 32; n++) {
            acc[n] = acc[n] + lower[n_row * N + n_column_step * 32 + n] * solved[n_column_step * 32 + n];
          }
        }
        sum = 0.0f;
        for (int64_t n = 0; n < 32; n++) {
          sum = sum + acc[n];
        }
        for (int64_t n = 0; n < N % 32; n++) {
          sum = sum + lower[n_row * N + n + 32 * (N / 32)] * solved[n + 32 * (N / 32)];
        }
        const float next_from_b = (b[n_row] - sum) / lower[n_row * N + n_row];
        for (int64_t n = 0; n < N; n++) {
          next_from_solved[n] = n == n_row ? next_from_b : solved[n];
        }
        for (int64_t n = 0; n < N; n++) {
          solved[n] = next_from_solved[n];
        }
      } else {
        report(&status, 2);
      }
      free(next_from_solved);
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
