// min_max(xs: N.f32) -> (f32, f32) for all N
#include <math.h>
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

static inline float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

int min_max(int64_t N, const float *restrict xs, float *restrict output_1, float *restrict output_2) {
  int status = 0;
  float x;
  float *const stored = allocate(N / 2048, sizeof(float));
  float *const stored_1 = allocate(N / 2048, sizeof(float));
  if (stored != NULL && stored_1 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = INFINITY;
      }
      for (int64_t n_step_1 = 0; n_step_1 < 64; n_step_1++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = min_f32(acc[n], xs[n_step * 2048 + n_step_1 * 32 + n]);
        }
      }
      float x_1;
      x_1 = INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        x_1 = min_f32(x_1, acc[n]);
      }
      stored[n_step] = x_1;
    }
    float x_1;
    x_1 = INFINITY;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      x_1 = min_f32(x_1, stored[n_step]);
    }
    x = x_1;
    for (int64_t n = 0; n < N % 2048; n++) {
      x = min_f32(x, xs[n + 2048 * (N / 2048)]);
    }
    float x_2;
    #pragma omp parallel for schedule(static)
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = -INFINITY;
      }
      for (int64_t n_step_1 = 0; n_step_1 < 64; n_step_1++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_f32(acc[n], xs[n_step * 2048 + n_step_1 * 32 + n]);
        }
      }
      float x_3;
      x_3 = -INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        x_3 = max_f32(x_3, acc[n]);
      }
      stored_1[n_step] = x_3;
    }
    float x_3;
    x_3 = -INFINITY;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      x_3 = max_f32(x_3, stored_1[n_step]);
    }
    x_2 = x_3;
    for (int64_t n = 0; n < N % 2048; n++) {
      x_2 = max_f32(x_2, xs[n + 2048 * (N / 2048)]);
    }
    output_1[0] = x;
    output_2[0] = x_2;
  } else {
    report(&status, 1);
  }
  free(stored_1);
  free(stored);
  return status;
}
