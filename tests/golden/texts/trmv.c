// trmv(a: N.N.f32, x: N.f32) -> N.f32 for all N
#include <stdbool.h>
#include <stdint.h>

int trmv(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < N; i_p++) {
    float x_1;
    _Alignas(64) float acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0.0f;
    }
    for (int64_t i_row = 0; i_row < N / 32; i_row++) {
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        const float p_2 = i_row * 32 + i_p_1 <= i_p ? a[i_p * N + i_row * 32 + i_p_1] * x[i_row * 32 + i_p_1] : 0.0f;
        acc[i_p_1] = acc[i_p_1] + p_2;
      }
    }
    float x_2;
    x_2 = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
      x_2 = x_2 + acc[i_x_1];
    }
    x_1 = x_2;
    for (int64_t i_x_2 = 0; i_x_2 < N % 32; i_x_2++) {
      x_1 = x_1 + (i_x_2 + 32 * (N / 32) <= i_p ? a[i_p * N + i_x_2 + 32 * (N / 32)] * x[i_x_2 + 32 * (N / 32)] : 0.0f);
    }
    output[i_p] = x_1;
  }
  return 0;
}
