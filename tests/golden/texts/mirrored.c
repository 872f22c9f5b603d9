// mirrored(xs: (N + 2).f32) -> (N + 2).f32 for all N
#include <stdint.h>

int mirrored(int64_t N, const float *restrict xs, float *restrict output) {
  for (int64_t n = 0; n < 1; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 3
    for (int64_t n_1 = 0; n_1 < 3; n_1++) {
      sum = sum + (n + n_1 < N + 3 ? (n + n_1 < 1 ? xs[n + n_1 + 1] : xs[n + n_1 - 1]) : xs[n + n_1 - 3]);
    }
    output[n] = sum / 3.0f;
  }
  #pragma omp parallel for schedule(static) if(2259 < N)
  for (int64_t n = 0; n < N; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 3
    for (int64_t n_1 = 0; n_1 < 3; n_1++) {
      sum = sum + xs[n + n_1];
    }
    output[n + 1] = sum / 3.0f;
  }
  for (int64_t n = 0; n < 1; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 3
    for (int64_t n_1 = 0; n_1 < 3; n_1++) {
      sum = sum + (n + n_1 < 2 ? (n + n_1 + N < 0 ? xs[n + n_1 + N + 2] : xs[n + n_1 + N]) : xs[n + n_1 + N - 2]);
    }
    output[n + N + 1] = sum / 3.0f;
  }
  return 0;
}
