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
    for (int64_t i_x = 0; i_x < N; i_x++) {
      solved[i_x] = 0.0f;
    }
    for (int64_t i_rowAndIndex = 0; i_rowAndIndex < N; i_rowAndIndex++) {
      float *const next_1 = allocate(N, sizeof(float));
      if (next_1 != NULL) {
        float acc_1;
        acc_1 = 0.0f;
        for (int64_t i_x_2_step = 0; i_x_2_step < N / 32; i_x_2_step++) {
          __builtin_prefetch(&lower[(i_rowAndIndex + 1) * N + i_x_2_step * 32]);
          __builtin_prefetch(&lower[(i_rowAndIndex + 1) * N + i_x_2_step * 32 + 16]);
          for (int64_t i_x_2 = 0; i_x_2 < 32; i_x_2++) {
            acc_1 = acc_1 + lower[i_rowAndIndex * N + i_x_2_step * 32 + i_x_2] * solved[i_x_2_step * 32 + i_x_2];
          }
        }
        for (int64_t i_x_2 = 0; i_x_2 < N % 32; i_x_2++) {
          acc_1 = acc_1 + lower[i_rowAndIndex * N + i_x_2 + 32 * (N / 32)] * solved[i_x_2 + 32 * (N / 32)];
        }
        const float next_2 = (b[i_rowAndIndex] - acc_1) / lower[i_rowAndIndex * N + i_rowAndIndex];
        for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
          next_1[i_p_1] = i_p_1 == i_rowAndIndex ? next_2 : solved[i_p_1];
        }
        for (int64_t i_copy = 0; i_copy < N; i_copy++) {
          solved[i_copy] = next_1[i_copy];
        }
      } else {
        report(&status, 2);
      }
      free(next_1);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_3 = 0; i_x_3 < N; i_x_3++) {
      output[i_x_3] = solved[i_x_3];
    }
  } else {
    report(&status, 1);
  }
  free(solved);
  return status;
}
