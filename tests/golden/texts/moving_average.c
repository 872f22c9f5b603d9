// moving_average(xs: (N + 3).f32) -> (N + 1).f32 for all N
#include <stdint.h>

int moving_average(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_window = 0; i_window < N + 1; i_window++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 3
    for (int64_t i_x = 0; i_x < 3; i_x++) {
      x = x + xs[i_window + i_x];
    }
    output[i_window] = x / 3.0f;
  }
  return 0;
}
