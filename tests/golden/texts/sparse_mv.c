// sparse_mv(rows: 9.4.(idx[17], f32), x: 17.f32) -> 9.f32
#include <stdint.h>

int sparse_mv(
    const int64_t *restrict rows_1,
    const float *restrict rows_2,
    const float *restrict x,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_row = 0; i_row < 9; i_row++) {
    float x_1;
    _Alignas(64) float acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0.0f;
    }
    float x_2;
    x_2 = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
      x_2 = x_2 + acc[i_x_1];
    }
    x_1 = x_2;
    #pragma GCC unroll 4
    for (int64_t i_x_2 = 0; i_x_2 < 4; i_x_2++) {
      const int64_t at = rows_1[i_row * 4 + i_x_2];
      x_1 = x_1 + rows_2[i_row * 4 + i_x_2] * x[at];
    }
    output[i_row] = x_1;
  }
  return 0;
}
