// gemv(alpha: f32, beta: f32, a: M.N.f32, x: N.f32, y: M.f32) -> M.f32 for all M, N
#include <stdint.h>

int gemv(
    int64_t M,
    int64_t N,
    float alpha,
    float beta,
    const float *restrict a,
    const float *restrict x,
    const float *restrict y,
    float *restrict output
) {
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M; i_p++) {
    float x_1;
    _Alignas(64) float acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0.0f;
    }
    for (int64_t i_row = 0; i_row < N / 32; i_row++) {
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        const float p_2 = a[i_p * N + i_row * 32 + i_p_1] * x[i_row * 32 + i_p_1];
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
      x_1 = x_1 + a[i_p * N + i_x_2 + 32 * (N / 32)] * x[i_x_2 + 32 * (N / 32)];
    }
    output[i_p] = alpha_1 * x_1 + beta_1 * y[i_p];
  }
  return 0;
}
