// nrm2(xs: N.f32) -> f32 for all N
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

int nrm2(int64_t N, const float *restrict xs, float *restrict output) {
  int status = 0;
  float x;
  float *const stored = allocate(N / 2048, sizeof(float));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_block = 0; i_block < N / 2048; i_block++) {
      _Alignas(64) float acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0.0f;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const float x_1 = xs[i_block * 2048 + i_row * 32 + i_p];
          const float p_2 = x_1 * x_1;
          acc[i_p] = acc[i_p] + p_2;
        }
      }
      float x_2;
      x_2 = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_2 = x_2 + acc[i_x_1];
      }
      stored[i_block] = x_2;
    }
    float x_3;
    x_3 = 0.0f;
    for (int64_t i_x_2 = 0; i_x_2 < N / 2048; i_x_2++) {
      x_3 = x_3 + stored[i_x_2];
    }
    x = x_3;
    for (int64_t i_x_3 = 0; i_x_3 < N % 2048; i_x_3++) {
      const float x_4 = xs[i_x_3 + 2048 * (N / 2048)];
      x = x + x_4 * x_4;
    }
    output[0] = sqrtf(x);
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
