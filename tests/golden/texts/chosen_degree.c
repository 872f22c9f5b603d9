// chosen_degree(coefficients: (k ** k.f32), points: N.f32) -> N.f32 for all N, k
#include <stdint.h>

int chosen_degree(
    int64_t N,
    int64_t k,
    const float *restrict coefficients,
    const float *restrict points,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (5 * k + 5) * N)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float sum[32];
    for (int64_t n = 0; n < 32; n++) {
      sum[n] = 0.0f;
    }
    for (int64_t i_k = 0; i_k < k; i_k++) {
      for (int64_t n = 0; n < 32; n++) {
        sum[n] = sum[n] * points[n_block * 32 + n] + coefficients[i_k];
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
    for (int64_t i_k = 0; i_k < k; i_k++) {
      sum = sum * this_points + coefficients[i_k];
    }
    output[at_n] = sum;
  }
  return 0;
}
