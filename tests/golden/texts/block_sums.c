// block_sums(xs: N.f32) -> (N /^ 8).f32 for all N where 8 divides N
#include <stdint.h>

int block_sums(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(14979 < N)
  for (int64_t n = 0; n < N / 8; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 8
    for (int64_t n_1 = 0; n_1 < 8; n_1++) {
      sum = sum + xs[n * 8 + n_1];
    }
    output[n] = sum;
  }
  return 0;
}
