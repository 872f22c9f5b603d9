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
  #pragma omp parallel for schedule(static) if(9362 < M * N)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      output[m * N + n] = alpha * x[m] * y[n] + a[m * N + n];
    }
  }
  return 0;
}
