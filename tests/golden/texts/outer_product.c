// outer_product(xs: M.f32, ys: N.f32) -> M.N.f32 for all M, N
#include <stdint.h>

int outer_product(
    int64_t M,
    int64_t N,
    const float *restrict xs,
    const float *restrict ys,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    const float x = xs[i_x];
    for (int64_t i_y = 0; i_y < N; i_y++) {
      output[i_x * N + i_y] = x * ys[i_y];
    }
  }
  return 0;
}
