// segmented_sum(rows: M.N.(bool, f32)) -> M.N.f32 for all M, N
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

int segmented_sum(
    int64_t M,
    int64_t N,
    const uint8_t *restrict rows_1,
    const float *restrict rows_2,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static)
  for (int64_t i_row = 0; i_row < M; i_row++) {
    bool *const stored = allocate(N, sizeof(bool));
    float *const stored_1 = allocate(N, sizeof(float));
    if (stored != NULL && stored_1 != NULL) {
      bool a;
      float a_1;
      a = false;
      a_1 = 0.0f;
      for (int64_t i_b_step = 0; i_b_step < N / 32; i_b_step++) {
        __builtin_prefetch(&rows_1[(i_row + 1) * N + i_b_step * 32]);
        __builtin_prefetch(&rows_2[(i_row + 1) * N + i_b_step * 32]);
        __builtin_prefetch(&rows_2[(i_row + 1) * N + i_b_step * 32 + 16]);
        __builtin_prefetch(&output[i_row * N + i_b_step * 32], 1);
        __builtin_prefetch(&output[i_row * N + i_b_step * 32 + 16], 1);
        for (int64_t i_b = 0; i_b < 32; i_b++) {
          a = a || rows_1[i_row * N + i_b_step * 32 + i_b] != 0;
          a_1 = rows_1[i_row * N + i_b_step * 32 + i_b] != 0 ? rows_2[i_row * N + i_b_step * 32 + i_b] : a_1 + rows_2[i_row * N + i_b_step * 32 + i_b];
          stored[i_b_step * 32 + i_b] = a;
          stored_1[i_b_step * 32 + i_b] = a_1;
        }
      }
      for (int64_t i_b = 0; i_b < N % 32; i_b++) {
        a = a || rows_1[i_row * N + i_b + 32 * (N / 32)] != 0;
        a_1 = rows_1[i_row * N + i_b + 32 * (N / 32)] != 0 ? rows_2[i_row * N + i_b + 32 * (N / 32)] : a_1 + rows_2[i_row * N + i_b + 32 * (N / 32)];
        stored[i_b + 32 * (N / 32)] = a;
        stored_1[i_b + 32 * (N / 32)] = a_1;
      }
      for (int64_t i_x = 0; i_x < N; i_x++) {
        output[i_row * N + i_x] = stored_1[i_x];
      }
    } else {
      report(&status, 1);
    }
    free(stored_1);
    free(stored);
  }
  return status;
}
