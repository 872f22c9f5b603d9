// asum(xs: N.f32) -> f32 for all N
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

int asum(int64_t N, const float *restrict xs, float *restrict output) {
  int status = 0;
  float sum;
  float *const sums = allocate(N / 2048, sizeof(float));
  if (sums != NULL) {
    #pragma omp parallel for schedule(static) if(5 < N / 2048)
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0.0f;
      }
      for (int64_t n_strip = 0; n_strip < 64; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = acc[n] + fabsf(xs[n_step * 2048 + n_strip * 32 + n]);
        }
      }
      float sum_of_n_step;
      sum_of_n_step = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        sum_of_n_step = sum_of_n_step + acc[n];
      }
      sums[n_step] = sum_of_n_step;
    }
    sum = 0.0f;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      sum = sum + sums[n_step];
    }
    for (int64_t n = 0; n < N % 2048; n++) {
      sum = sum + fabsf(xs[n + 2048 * (N / 2048)]);
    }
    output[0] = sum;
  } else {
    report(&status, 1);
  }
  free(sums);
  return status;
}
