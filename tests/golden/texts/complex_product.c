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
  for (int64_t i_x = 0; i_x < (N + 31) / 32; i_x++) {
    #pragma omp simd
    for (int64_t i_p = 0; i_p < min_i64(N - i_x * 32, 32); i_p++) {
      output_1[i_x * 32 + i_p] = xs_1[i_x * 32 + i_p] * ys_1[i_x * 32 + i_p] - xs_2[i_x * 32 + i_p] * ys_2[i_x * 32 + i_p];
      output_2[i_x * 32 + i_p] = xs_1[i_x * 32 + i_p] * ys_2[i_x * 32 + i_p] + xs_2[i_x * 32 + i_p] * ys_1[i_x * 32 + i_p];
    }
  }
  return 0;
}
