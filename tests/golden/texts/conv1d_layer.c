// conv1d_layer(filters: 4.3.2.f32, bias: 4.f32, channels: 3.10.f32) -> 4.9.f32
#include <stdint.h>

int conv1d_layer(
    const float *restrict filters,
    const float *restrict bias,
    const float *restrict channels,
    float *restrict output
) {
  for (int64_t row = 0; row < 4; row++) {
    for (int64_t column = 0; column < 9; column++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 6
      for (int64_t filters_column = 0; filters_column < 6; filters_column++) {
        acc = acc + filters[row * 6 + filters_column] * channels[filters_column / 2 * 8 + column + filters_column];
      }
      output[row * 9 + column] = acc + bias[row];
    }
  }
  return 0;
}
