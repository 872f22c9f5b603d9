// conv1d_layer(filters: 4.3.2.f32, bias: 4.f32, channels: 3.10.f32) -> 4.9.f32
#include <stdint.h>

int conv1d_layer(
    const float *restrict filters,
    const float *restrict bias,
    const float *restrict channels,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 4; i_p++) {
    for (int64_t i_window = 0; i_window < 9; i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 6
      for (int64_t i_x = 0; i_x < 6; i_x++) {
        acc = acc + filters[i_p * 6 + i_x] * channels[i_x / 2 * 8 + i_window + i_x];
      }
      output[i_p * 9 + i_window] = acc + bias[i_p];
    }
  }
  return 0;
}
