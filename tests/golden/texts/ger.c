// ger(alpha: f32, x: M.f32, y: N.f32, a: M.N.f32) -> M.N.f32 for all M, N
#include <stdint.h>

int ger(
    int64_t M,
    int64_t N,
    float alpha,
    const float *restrict x,
    const float *restrict y,
    const float *restrict a,
    float *restrict output
) {
  const float alpha_1 = alpha;
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      output[i_p * N + i_p_1] = alpha_1 * x[i_p] * y[i_p_1] + a[i_p * N + i_p_1];
    }
  }
  return 0;
}
