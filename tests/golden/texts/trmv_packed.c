// trmv_packed(a: ((N^2 + N) /^ 2).f32, x: N.f32) -> N.f32 for all N
#include <stdint.h>

int trmv_packed(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t n_1 = 0; n_1 < 32; n_1++) {
      acc[n_1] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < (n + 1) / 32; n_block++) {
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        acc[n_1] = acc[n_1] + a[n_block * 32 + (n * n + n) / 2 + n_1] * x[n_block * 32 + n_1];
      }
    }
    sum = 0.0f;
    for (int64_t n_1 = 0; n_1 < 32; n_1++) {
      sum = sum + acc[n_1];
    }
    for (int64_t n_1 = 0; n_1 < (n + 1) % 32; n_1++) {
      sum = sum + a[((n + 1) / 32 * 64 + n_1 * 2 + n * n + n) / 2] * x[(n + 1) / 32 * 32 + n_1];
    }
    output[n] = sum;
  }
  return 0;
}
