// running_totals(rows: 9.17.f32) -> 9.17.f32
#include <stdint.h>

int running_totals(const float *restrict rows, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < 9; i_x++) {
    float x;
    x = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < 17; i_x_1++) {
      x = x + rows[i_x * 17 + i_x_1];
      output[i_x * 17 + i_x_1] = x;
    }
  }
  return 0;
}
