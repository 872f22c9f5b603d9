// axpy(alpha: f32, xs: N.f32, ys: N.f32) -> N.f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int axpy(int64_t N, float alpha, const float *restrict xs, const float *restrict ys, float *restrict output) {
  const float alpha_1 = alpha;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < (N + 31) / 32; i_x++) {
    for (int64_t i_p = 0; i_p < min_i64(N - i_x * 32, 32); i_p++) {
      output[i_x * 32 + i_p] = alpha_1 * xs[i_x * 32 + i_p] + ys[i_x * 32 + i_p];
    }
  }
  return 0;
}
