// sparse_mv(rows: 9.4.(idx[17], f32), x: 17.f32) -> 9.f32
#include <stdbool.h>
#include <stdint.h>

int sparse_mv(
    const int64_t *restrict rows_1st,
    const float *restrict rows_2nd,
    const float *restrict x,
    float *restrict output
) {
  const bool is_less = 4 < 9;
  if (is_less) {
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
  } else {
    for (int64_t i = 0; i < 9; i++) {
      float sum;
      _Alignas(64) float partials_from_acc[16];
      _Alignas(64) float acc[16];
      for (int64_t i_1 = 0; i_1 < 16; i_1++) {
        acc[i_1] = 0.0f;
      }
      #pragma omp simd
      for (int64_t i_1 = 0; i_1 < 16; i_1++) {
        partials_from_acc[i_1] = acc[i_1];
      }
      _Alignas(64) float partials[8];
      #pragma omp simd
      for (int64_t i_1 = 0; i_1 < 8; i_1++) {
        partials[i_1] = partials_from_acc[i_1] + partials_from_acc[i_1 + 8];
      }
      _Alignas(64) float sums[4];
      #pragma omp simd
      for (int64_t i_1 = 0; i_1 < 4; i_1++) {
        sums[i_1] = partials[i_1] + partials[i_1 + 4];
      }
      sum = 0.0f;
      #pragma GCC unroll 4
      for (int64_t i_1 = 0; i_1 < 4; i_1++) {
        sum = sum + sums[i_1];
      }
      #pragma GCC unroll 4
      for (int64_t rows_1st_column = 0; rows_1st_column < 4; rows_1st_column++) {
        const int64_t rows_1st_entry = rows_1st[i * 4 + rows_1st_column];
        sum = sum + rows_2nd[i * 4 + rows_1st_column] * x[rows_1st_entry];
      }
      output[i] = sum;
    }
  }
  return 0;
}
