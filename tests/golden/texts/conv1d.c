// conv1d(weights: K.f32, xs: (K + N).f32) -> (N + 1).f32 for all K, N
#include <stdint.h>

int conv1d(
    int64_t K,
    int64_t N,
    const float *restrict weights,
    const float *restrict xs,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (6 * N + 6) * K + 3 * N)
  for (int64_t n_block = 0; n_block < (N + 1) / 32; n_block++) {
    _Alignas(64) float acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t k = 0; k < K; k++) {
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = acc[n] + weights[k] * xs[n_block * 32 + k + n];
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      output[n_block * 32 + n] = acc[n];
    }
  }
  for (int64_t n = 0; n < (N + 1) % 32; n++) {
    float acc;
    acc = 0.0f;
    for (int64_t k = 0; k < K; k++) {
      acc = acc + weights[k] * xs[n + k + 32 * ((N + 1) / 32)];
    }
    output[n + 32 * ((N + 1) / 32)] = acc;
  }
  return 0;
}
