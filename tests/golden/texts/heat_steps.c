// heat_steps(speed: f32, rod: N.f32) -> N.f32 for all N where n >= 1
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int heat_steps(int64_t N, float speed, const float *restrict rod, float *restrict output) {
  int status = 0;
  const float speed_1 = speed;
  float *const step = allocate(N, sizeof(float));
  if (step != NULL) {
    for (int64_t i_copy = 0; i_copy < N; i_copy++) {
      step[i_copy] = rod[i_copy];
    }
    for (int64_t i_step = 0; i_step < 20; i_step++) {
      float *const next = allocate(N, sizeof(float));
      if (next != NULL) {
        const float share_1 = 0.25f * speed_1;
        for (int64_t i_w_1 = 0; i_w_1 < min_i64(N, 1); i_w_1++) {
          const float x_1 = (1.0f - 2.0f * share_1) * step[i_w_1] + share_1 * (step[min_i64(0, N - 1)] + step[min_i64(N - 1, i_w_1 + 1)]);
          next[i_w_1] = x_1;
        }
        for (int64_t i_w_1 = 0; i_w_1 < N - 2; i_w_1++) {
          const float x_1 = (1.0f - 2.0f * share_1) * step[i_w_1 + 1] + share_1 * (step[i_w_1] + step[i_w_1 + 2]);
          next[i_w_1 + 1] = x_1;
        }
        for (int64_t i_w_1 = 0; i_w_1 < min_i64(max_i64(0, N - 1), 1); i_w_1++) {
          const float x_1 = (1.0f - 2.0f * share_1) * step[i_w_1 + max_i64(N - 1, 1)] + share_1 * (step[min_i64(N - 1, i_w_1 + max_i64(N - 1, 1) - 1)] + step[N - 1]);
          next[i_w_1 + max_i64(N - 1, 1)] = x_1;
        }
        for (int64_t i_copy_1 = 0; i_copy_1 < N; i_copy_1++) {
          step[i_copy_1] = next[i_copy_1];
        }
      } else {
        report(&status, 2);
      }
      free(next);
    }
    for (int64_t i_copy_2 = 0; i_copy_2 < N; i_copy_2++) {
      output[i_copy_2] = step[i_copy_2];
    }
  } else {
    report(&status, 1);
  }
  free(step);
  return status;
}
