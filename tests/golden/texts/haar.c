// haar(xs: (2 * N).f32) -> (2 * N).f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int haar(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_block = 0; i_block < (N + 31) / 32; i_block++) {
    for (int64_t i_p = 0; i_p < min_i64(N - i_block * 32, 32); i_p++) {
      output[i_block * 32 + i_p] = 0.5f * (xs[i_block * 64 + i_p * 2] + xs[i_block * 64 + i_p * 2 + 1]);
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_block_1 = 0; i_block_1 < (N + 31) / 32; i_block_1++) {
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(N - i_block_1 * 32, 32); i_p_1++) {
      output[i_block_1 * 32 + i_p_1 + N] = 0.5f * (xs[i_block_1 * 64 + i_p_1 * 2] - xs[i_block_1 * 64 + i_p_1 * 2 + 1]);
    }
  }
  return 0;
}
