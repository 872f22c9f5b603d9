// conv1d(weights: K.f32, xs: (K + N).f32) -> (N + 1).f32 for all K, N
#include <stdint.h>

int conv1d(
    int64_t K,
    int64_t N,
    const float *restrict weights,
    const float *restrict xs,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_window_block = 0; i_window_block < (N + 1) / 32; i_window_block++) {
    _Alignas(64) float acc[32];
    for (int64_t i_window = 0; i_window < 32; i_window++) {
      acc[i_window] = 0.0f;
    }
    for (int64_t i_x = 0; i_x < K; i_x++) {
      for (int64_t i_window = 0; i_window < 32; i_window++) {
        acc[i_window] = acc[i_window] + weights[i_x] * xs[i_window_block * 32 + i_x + i_window];
      }
    }
    for (int64_t i_window = 0; i_window < 32; i_window++) {
      output[i_window_block * 32 + i_window] = acc[i_window];
    }
  }
  for (int64_t i_window = 0; i_window < (N + 1) % 32; i_window++) {
    float acc;
    acc = 0.0f;
    for (int64_t i_x = 0; i_x < K; i_x++) {
      acc = acc + weights[i_x] * xs[i_window + i_x + 32 * ((N + 1) / 32)];
    }
    output[i_window + 32 * ((N + 1) / 32)] = acc;
  }
  return 0;
}
