// conv2d_layer(filters: 2.3.3.3.f32, bias: 2.f32, image: 3.7.6.f32) -> 2.5.4.f32
#include <stdint.h>

int conv2d_layer(
    const float *restrict filters,
    const float *restrict bias,
    const float *restrict image,
    float *restrict output
) {
  for (int64_t plane = 0; plane < 2; plane++) {
    for (int64_t row = 0; row < 5; row++) {
      _Alignas(64) float acc[4];
      #pragma GCC unroll 4
      for (int64_t column = 0; column < 4; column++) {
        acc[column] = 0.0f;
      }
      for (int64_t filters_k = 0; filters_k < 9; filters_k++) {
        for (int64_t filters_l = 0; filters_l < 3; filters_l++) {
          #pragma omp simd
          for (int64_t column = 0; column < 4; column++) {
            acc[column] = acc[column] + filters[plane * 27 + filters_k * 3 + filters_l] * image[(filters_k * 3 + filters_l) / 9 * 24 + row * 6 + filters_k * 6 + filters_l + column];
          }
        }
      }
      for (int64_t column = 0; column < 4; column++) {
        output[plane * 20 + row * 4 + column] = acc[column] + bias[plane];
      }
    }
  }
  return 0;
}
