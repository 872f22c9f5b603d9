// mm_both_transposed(at: 11.5.f32, bt: 7.11.f32) -> 5.7.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int mm_both_transposed(const float *restrict at, const float *restrict bt, float *restrict output) {
  _Alignas(64) float sums[80];
  _Alignas(64) float sums_1[80];
  for (int64_t row = 0; row < 5; row++) {
    for (int64_t column = 0; column < 16; column++) {
      sums_1[row * 16 + column] = 0.0f;
    }
  }
  for (int64_t row = 0; row < 5; row++) {
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      sums[row * 16 + column] = sums_1[row * 16 + column];
    }
  }
  _Alignas(64) float bt_tile[176];
  for (int64_t at_row = 0; at_row < 11; at_row++) {
    for (int64_t column = 0; column < 16; column++) {
      bt_tile[at_row * 16 + column] = bt[min_i64(column, 6) * 11 + at_row];
    }
  }
  for (int64_t row = 0; row < 5; row++) {
    _Alignas(64) float acc[16];
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      acc[column] = sums[row * 16 + column];
    }
    for (int64_t at_row = 0; at_row < 11; at_row++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        acc[column] = fmaf(at[at_row * 5 + row], bt_tile[at_row * 16 + column], acc[column]);
      }
    }
    for (int64_t column = 0; column < 7; column++) {
      output[row * 7 + column] = acc[column];
    }
  }
  return 0;
}
