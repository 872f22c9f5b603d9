// complex_product(xs: N.(f32, f32), ys: N.(f32, f32)) -> N.(f32, f32) for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int complex_product(
    int64_t N,
    const float *restrict xs_1,
    const float *restrict xs_2,
    const float *restrict ys_1,
    const float *restrict ys_2,
    float *restrict output_1,
    float *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      output_1[n_block * 32 + n] = xs_1[n_block * 32 + n] * ys_1[n_block * 32 + n] - xs_2[n_block * 32 + n] * ys_2[n_block * 32 + n];
      output_2[n_block * 32 + n] = xs_1[n_block * 32 + n] * ys_2[n_block * 32 + n] + xs_2[n_block * 32 + n] * ys_1[n_block * 32 + n];
    }
  }
  return 0;
}
