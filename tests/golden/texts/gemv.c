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
  #pragma omp parallel for schedule(static) if(65535 < (112 * (N / 16) + 199) * M)
  for (int64_t m = 0; m < M; m++) {
    _Alignas(64) float partials_from_acc[16];
    _Alignas(64) float acc[16];
    for (int64_t n = 0; n < 16; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_step = 0; n_step < N / 16; n_step++) {
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        acc[n] = acc[n] + a[m * N + n_step * 16 + n] * x[n_step * 16 + n];
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 16; n++) {
      const int64_t at_n = n + 16 * (N / 16);
      const float p_2nd = at_n < N ? a[m * N + n + 16 * (N / 16)] * x[at_n] : 0.0f;
      partials_from_acc[n] = p_2nd + acc[n];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n = 0; n < 8; n++) {
      partials[n] = partials_from_acc[n] + partials_from_acc[n + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t n = 0; n < 4; n++) {
      sums[n] = partials[n] + partials[n + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n = 0; n < 4; n++) {
      sum = sum + sums[n];
    }
    output[m] = alpha * sum + beta * y[m];
  }
  return 0;
}
