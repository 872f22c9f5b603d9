// conv2d(weights: 2.3.f32, image: 18.7.f32) -> 17.5.f32
#include <stdint.h>

int conv2d(const float *restrict weights, const float *restrict image, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < 17; i_x++) {
    for (int64_t i_window = 0; i_window < 5; i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 6
      for (int64_t i_x_1 = 0; i_x_1 < 6; i_x_1++) {
        acc = acc + weights[i_x_1] * image[i_x * 7 + i_x_1 / 3 * 4 + i_window + i_x_1];
      }
      output[i_x * 5 + i_window] = acc;
    }
  }
  return 0;
}
