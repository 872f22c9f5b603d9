// mirrored(xs: (N + 2).f32) -> (N + 2).f32 for all N
#include <stdint.h>

int mirrored(int64_t N, const float *restrict xs, float *restrict output) {
  for (int64_t i_window = 0; i_window < 1; i_window++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 3
    for (int64_t i_x = 0; i_x < 3; i_x++) {
      x = x + (i_window + i_x < N + 3 ? (i_window + i_x < 1 ? xs[i_window + i_x + 1] : xs[i_window + i_x - 1]) : xs[i_window + i_x - 3]);
    }
    output[i_window] = x / 3.0f;
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_window = 0; i_window < N; i_window++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 3
    for (int64_t i_x = 0; i_x < 3; i_x++) {
      x = x + xs[i_window + i_x];
    }
    output[i_window + 1] = x / 3.0f;
  }
  for (int64_t i_window = 0; i_window < 1; i_window++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 3
    for (int64_t i_x = 0; i_x < 3; i_x++) {
      x = x + (i_window + i_x < 2 ? (i_window + i_x + N < 0 ? xs[i_window + i_x + N + 2] : xs[i_window + i_x + N]) : xs[i_window + i_x + N - 2]);
    }
    output[i_window + N + 1] = x / 3.0f;
  }
  return 0;
}
