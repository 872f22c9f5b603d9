// moving_average(xs: (N + 3).f32) -> (N + 1).f32 for all N
#include <stdint.h>

int moving_average(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(2849 < N)
  for (int64_t n = 0; n < N + 1; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 3
    for (int64_t n_1 = 0; n_1 < 3; n_1++) {
      sum = sum + xs[n + n_1];
    }
    output[n] = sum / 3.0f;
  }
  return 0;
}
