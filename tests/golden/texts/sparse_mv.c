// sparse_mv(rows: 9.4.(idx[17], f32), x: 17.f32) -> 9.f32
#include <stdint.h>

int sparse_mv(
    const int64_t *restrict rows_1,
    const float *restrict rows_2,
    const float *restrict x,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 9; i++) {
    float x_1;
    _Alignas(64) float acc[32];
    for (int64_t i_1 = 0; i_1 < 32; i_1++) {
      acc[i_1] = 0.0f;
    }
    float x_2;
    x_2 = 0.0f;
    for (int64_t i_1 = 0; i_1 < 32; i_1++) {
      x_2 = x_2 + acc[i_1];
    }
    x_1 = x_2;
    #pragma GCC unroll 4
    for (int64_t rows_1_column = 0; rows_1_column < 4; rows_1_column++) {
      const int64_t at = rows_1[i * 4 + rows_1_column];
      x_1 = x_1 + rows_2[i * 4 + rows_1_column] * x[at];
    }
    output[i] = x_1;
  }
  return 0;
}
