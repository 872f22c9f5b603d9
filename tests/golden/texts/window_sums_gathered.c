// window_sums_gathered(places: (K + N).idx[N], xs: N.f32) -> (N + 1).f32 for all N, K
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

int window_sums_gathered(
    int64_t N,
    int64_t K,
    const int64_t *restrict places,
    const float *restrict xs,
    float *restrict output
) {
  int status = 0;
  float *const stored = allocate(K + N, sizeof(float));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < K + N; i_x++) {
      const int64_t at = places[i_x];
      stored[i_x] = xs[at];
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_1_block = 0; i_x_1_block < (N + 1) / 32; i_x_1_block++) {
      _Alignas(64) float x[32];
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x[i_x_1] = 0.0f;
      }
      for (int64_t i_x_2 = 0; i_x_2 < K; i_x_2++) {
        for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
          x[i_x_1] = x[i_x_1] + stored[i_x_1_block * 32 + i_x_2 + i_x_1];
        }
      }
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        output[i_x_1_block * 32 + i_x_1] = x[i_x_1];
      }
    }
    for (int64_t i_x_1 = 0; i_x_1 < (N + 1) % 32; i_x_1++) {
      float x;
      x = 0.0f;
      for (int64_t i_x_2 = 0; i_x_2 < K; i_x_2++) {
        x = x + stored[i_x_1 + i_x_2 + 32 * ((N + 1) / 32)];
      }
      output[i_x_1 + 32 * ((N + 1) / 32)] = x;
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
