// chosen_degree(coefficients: (k ** k.f32), points: N.f32) -> N.f32 for all N, k
#include <stdint.h>

int chosen_degree(
    int64_t N,
    int64_t k,
    const float *restrict coefficients,
    const float *restrict points,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x_block = 0; i_x_block < N / 32; i_x_block++) {
    _Alignas(64) float sum[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      sum[i_x] = 0.0f;
    }
    for (int64_t i_c = 0; i_c < k; i_c++) {
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        const float x = points[i_x_block * 32 + i_x];
        sum[i_x] = sum[i_x] * x + coefficients[i_c];
      }
    }
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      output[i_x_block * 32 + i_x] = sum[i_x];
    }
  }
  for (int64_t i_x = 0; i_x < N % 32; i_x++) {
    const float x = points[i_x + 32 * (N / 32)];
    float sum;
    sum = 0.0f;
    for (int64_t i_c = 0; i_c < k; i_c++) {
      sum = sum * x + coefficients[i_c];
    }
    output[i_x + 32 * (N / 32)] = sum;
  }
  return 0;
}
