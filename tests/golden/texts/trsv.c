// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
#include <stdint.h>

int trsv(int64_t N, const float *restrict lower, const float *restrict b, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    output[n] = 0.0f;
  }
  for (int64_t n = 0; n < N; n++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t n_1 = 0; n_1 < 32; n_1++) {
      acc[n_1] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        acc[n_1] = acc[n_1] + lower[n * N + n_block * 32 + n_1] * output[n_block * 32 + n_1];
      }
    }
    sum = 0.0f;
    for (int64_t n_1 = 0; n_1 < 32; n_1++) {
      sum = sum + acc[n_1];
    }
    for (int64_t n_1 = 0; n_1 < N % 32; n_1++) {
      sum = sum + lower[n * N + n_1 + 32 * (N / 32)] * output[n_1 + 32 * (N / 32)];
    }
    const float next = (b[n] - sum) / lower[n * N + n];
    output[n] = next;
  }
  return 0;
}
