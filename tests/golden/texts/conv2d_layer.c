// conv2d_layer(filters: 2.3.3.3.f32, bias: 2.f32, image: 3.7.6.f32) -> 2.5.4.f32
#include <stdint.h>

int conv2d_layer(
    const float *restrict filters,
    const float *restrict bias,
    const float *restrict image,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 2; i_p++) {
    for (int64_t i_x = 0; i_x < 5; i_x++) {
      for (int64_t i_window = 0; i_window < 4; i_window++) {
        float acc;
        acc = 0.0f;
        for (int64_t i_x_1 = 0; i_x_1 < 27; i_x_1++) {
          acc = acc + filters[i_p * 27 + i_x_1] * image[i_x_1 / 9 * 24 + i_x * 6 + i_x_1 / 3 * 3 + i_window + i_x_1];
        }
        output[i_p * 20 + i_x * 4 + i_window] = acc + bias[i_p];
      }
    }
  }
  return 0;
}
