// sparse_mv(rows: 9.4.(idx[17], f32), x: 17.f32) -> 9.f32
#include <stdint.h>

int sparse_mv(
    const int64_t *restrict rows_1st,
    const float *restrict rows_2nd,
    const float *restrict x,
    float *restrict output
) {
  for (int64_t i = 0; i < 9; i++) {
    float acc;
    acc = 0.0f;
    #pragma GCC unroll 4
    for (int64_t rows_1st_column = 0; rows_1st_column < 4; rows_1st_column++) {
      const int64_t rows_1st_entry = rows_1st[i * 4 + rows_1st_column];
      acc = acc + rows_2nd[i * 4 + rows_1st_column] * x[rows_1st_entry];
    }
    output[i] = acc;
  }
  return 0;
}
