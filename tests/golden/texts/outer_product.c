// outer_product(xs: M.f32, ys: N.f32) -> M.N.f32 for all M, N
#include <stdint.h>

int outer_product(
    int64_t M,
    int64_t N,
    const float *restrict xs,
    const float *restrict ys,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (3 * N + 2) * M)
  for (int64_t m = 0; m < M; m++) {
    const float this_xs = xs[m];
    for (int64_t n = 0; n < N; n++) {
      output[m * N + n] = this_xs * ys[n];
    }
  }
  return 0;
}
