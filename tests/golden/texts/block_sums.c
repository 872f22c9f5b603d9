// block_sums(xs: N.f32) -> (N /^ 8).f32 for all N where 8 divides N
#include <stdint.h>

int block_sums(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < N / 8; i_x++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 8
    for (int64_t i_x_1 = 0; i_x_1 < 8; i_x_1++) {
      x = x + xs[i_x * 8 + i_x_1];
    }
    output[i_x] = x;
  }
  return 0;
}
