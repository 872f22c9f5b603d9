// haar(xs: (2 * N).f32) -> (2 * N).f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int haar(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(409 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      output[n_block * 32 + n] = 0.5f * (xs[n_block * 64 + n * 2] + xs[n_block * 64 + n * 2 + 1]);
    }
  }
  #pragma omp parallel for schedule(static) if(409 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      output[n_block * 32 + n + N] = 0.5f * (xs[n_block * 64 + n * 2] - xs[n_block * 64 + n * 2 + 1]);
    }
  }
  return 0;
}
