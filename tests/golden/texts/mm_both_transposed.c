// mm_both_transposed(at: 11.5.f32, bt: 7.11.f32) -> 5.7.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int mm_both_transposed(const float *restrict at, const float *restrict bt, float *restrict output) {
  _Alignas(64) float rows[55];
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < 5; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 11; i_x_1++) {
      rows[i_x * 11 + i_x_1] = at[i_x_1 * 5 + i_x];
    }
  }
  _Alignas(64) float packed[176];
  for (int64_t i_x_2 = 0; i_x_2 < 11; i_x_2++) {
    for (int64_t i_x_3 = 0; i_x_3 < 16; i_x_3++) {
      packed[i_x_2 * 16 + i_x_3] = bt[min_i64(i_x_3, 6) * 11 + i_x_2];
    }
  }
  for (int64_t i_block = 0; i_block < 5; i_block++) {
    _Alignas(64) float acc[16];
    for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
      acc[i_x_4] = 0.0f;
    }
    for (int64_t i_x_5 = 0; i_x_5 < 11; i_x_5++) {
      for (int64_t i_x_6 = 0; i_x_6 < 16; i_x_6++) {
        acc[i_x_6] = fmaf(rows[i_block * 11 + i_x_5], packed[i_x_5 * 16 + i_x_6], acc[i_x_6]);
      }
    }
    for (int64_t i_x_7 = 0; i_x_7 < 7; i_x_7++) {
      output[i_block * 7 + i_x_7] = acc[i_x_7];
    }
  }
  return 0;
}
