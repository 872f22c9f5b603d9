// horner(coefficients: K.f32, points: N.f32) -> N.f32 for all K, N
#include <stdint.h>

int horner(
    int64_t K,
    int64_t N,
    const float *restrict coefficients,
    const float *restrict points,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (5 * K + 5) * N)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float sum[32];
    for (int64_t n = 0; n < 32; n++) {
      sum[n] = 0.0f;
    }
    for (int64_t k = 0; k < K; k++) {
      for (int64_t n = 0; n < 32; n++) {
        sum[n] = sum[n] * points[n_block * 32 + n] + coefficients[k];
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      output[n_block * 32 + n] = sum[n];
    }
  }
  for (int64_t n = 0; n < N % 32; n++) {
    const int64_t at_n = n + 32 * (N / 32);
    const float this_points = points[at_n];
    float sum;
    sum = 0.0f;
    for (int64_t k = 0; k < K; k++) {
      sum = sum * this_points + coefficients[k];
    }
    output[at_n] = sum;
  }
  return 0;
}
