// sparse_mv(rows: 9.4.(idx[17], f32), x: 17.f32) -> 9.f32
#include <stdint.h>

int sparse_mv(
    const int64_t *restrict rows_1st,
    const float *restrict rows_2nd,
    const float *restrict x,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 9; i++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t i_1 = 0; i_1 < 32; i_1++) {
      acc[i_1] = 0.0f;
    }
    sum = 0.0f;
    for (int64_t i_1 = 0; i_1 < 32; i_1++) {
      sum = sum + acc[i_1];
    }
    #pragma GCC unroll 4
    for (int64_t rows_1st_column = 0; rows_1st_column < 4; rows_1st_column++) {
      const int64_t rows_1st_entry = rows_1st[i * 4 + rows_1st_column];
      sum = sum + rows_2nd[i * 4 + rows_1st_column] * x[rows_1st_entry];
    }
    output[i] = sum;
  }
  return 0;
}
