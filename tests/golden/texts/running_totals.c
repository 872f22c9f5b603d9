// running_totals(rows: 9.17.f32) -> 9.17.f32
#include <stdint.h>

int running_totals(const float *restrict rows, float *restrict output) {
  for (int64_t row = 0; row < 9; row++) {
    float sum;
    sum = 0.0f;
    for (int64_t column = 0; column < 17; column++) {
      sum = sum + rows[row * 17 + column];
      output[row * 17 + column] = sum;
    }
  }
  return 0;
}
