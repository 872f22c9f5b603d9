// conv2d_layer(filters: 2.3.3.3.f32, bias: 2.f32, image: 3.7.6.f32) -> 2.5.4.f32
#include <stdint.h>

int conv2d_layer(
    const float *restrict filters,
    const float *restrict bias,
    const float *restrict image,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t plane = 0; plane < 2; plane++) {
    for (int64_t row = 0; row < 5; row++) {
      for (int64_t column = 0; column < 4; column++) {
        float acc;
        acc = 0.0f;
        for (int64_t filters_l = 0; filters_l < 27; filters_l++) {
          acc = acc + filters[plane * 27 + filters_l] * image[filters_l / 9 * 24 + row * 6 + filters_l / 3 * 3 + column + filters_l];
        }
        output[plane * 20 + row * 4 + column] = acc + bias[plane];
      }
    }
  }
  return 0;
}
