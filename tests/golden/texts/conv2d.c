// conv2d(weights: 2.3.f32, image: 18.7.f32) -> 17.5.f32
#include <stdint.h>

int conv2d(const float *restrict weights, const float *restrict image, float *restrict output) {
  for (int64_t row = 0; row < 17; row++) {
    for (int64_t column = 0; column < 5; column++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 6
      for (int64_t weights_column = 0; weights_column < 6; weights_column++) {
        acc = acc + weights[weights_column] * image[row * 7 + weights_column / 3 * 4 + column + weights_column];
      }
      output[row * 5 + column] = acc;
    }
  }
  return 0;
}
