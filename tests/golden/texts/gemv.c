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
  #pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; m++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_step = 0; n_step < N / 32; n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = acc[n] + a[m * N + n_step * 32 + n] * x[n_step * 32 + n];
      }
    }
    sum = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum = sum + acc[n];
    }
    for (int64_t n = 0; n < N % 32; n++) {
      sum = sum + a[m * N + n + 32 * (N / 32)] * x[n + 32 * (N / 32)];
    }
    output[m] = alpha * sum + beta * y[m];
  }
  return 0;
}
