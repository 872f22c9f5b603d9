// mm_right_transposed(a: 16.4.f32, bt: 8.4.f32) -> 16.8.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int mm_right_transposed(const float *restrict a, const float *restrict bt, float *restrict output) {
  _Alignas(64) float bt_tile[64];
  for (int64_t a_column = 0; a_column < 4; a_column++) {
    for (int64_t column = 0; column < 16; column++) {
      bt_tile[a_column * 16 + column] = bt[min_i64(column, 7) * 4 + a_column];
    }
  }
  for (int64_t row_block = 0; row_block < 2; row_block++) {
    _Alignas(64) float acc[96];
    for (int64_t row = 0; row < 6; row++) {
      for (int64_t column = 0; column < 16; column++) {
        acc[row * 16 + column] = 0.0f;
      }
    }
    for (int64_t a_column = 0; a_column < 4; a_column++) {
      for (int64_t row = 0; row < 6; row++) {
        #pragma omp simd
        for (int64_t column = 0; column < 16; column++) {
          acc[row * 16 + column] = fmaf(a[row_block * 24 + row * 4 + a_column], bt_tile[a_column * 16 + column], acc[row * 16 + column]);
        }
      }
    }
    for (int64_t row = 0; row < 6; row++) {
      for (int64_t column = 0; column < 8; column++) {
        output[row_block * 48 + row * 8 + column] = acc[row * 16 + column];
      }
    }
  }
  for (int64_t row = 0; row < 4; row++) {
    _Alignas(64) float acc[16];
    for (int64_t column = 0; column < 16; column++) {
      acc[column] = 0.0f;
    }
    for (int64_t a_column = 0; a_column < 4; a_column++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        acc[column] = fmaf(a[row * 4 + a_column + 48], bt_tile[a_column * 16 + column], acc[column]);
      }
    }
    for (int64_t column = 0; column < 8; column++) {
      output[row * 8 + column + 96] = acc[column];
    }
  }
  return 0;
}
