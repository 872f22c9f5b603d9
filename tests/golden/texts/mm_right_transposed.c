// mm_right_transposed(a: 16.4.f32, bt: 8.4.f32) -> 16.8.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int mm_right_transposed(const float *restrict a, const float *restrict bt, float *restrict output) {
  _Alignas(64) float packed[64];
  for (int64_t i_x = 0; i_x < 4; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 16; i_x_1++) {
      packed[i_x * 16 + i_x_1] = bt[min_i64(i_x_1, 7) * 4 + i_x];
    }
  }
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    _Alignas(64) float acc[96];
    for (int64_t i_x_2 = 0; i_x_2 < 6; i_x_2++) {
      for (int64_t i_x_3 = 0; i_x_3 < 16; i_x_3++) {
        acc[i_x_2 * 16 + i_x_3] = 0.0f;
      }
    }
    for (int64_t i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
        for (int64_t i_x_6 = 0; i_x_6 < 16; i_x_6++) {
          acc[i_x_5 * 16 + i_x_6] = fmaf(a[i_block * 24 + i_x_5 * 4 + i_x_4], packed[i_x_4 * 16 + i_x_6], acc[i_x_5 * 16 + i_x_6]);
        }
      }
    }
    for (int64_t i_x_7 = 0; i_x_7 < 6; i_x_7++) {
      for (int64_t i_x_8 = 0; i_x_8 < 8; i_x_8++) {
        output[i_block * 48 + i_x_7 * 8 + i_x_8] = acc[i_x_7 * 16 + i_x_8];
      }
    }
  }
  for (int64_t i_block_1 = 0; i_block_1 < 4; i_block_1++) {
    _Alignas(64) float acc_1[16];
    for (int64_t i_x_9 = 0; i_x_9 < 16; i_x_9++) {
      acc_1[i_x_9] = 0.0f;
    }
    for (int64_t i_x_10 = 0; i_x_10 < 4; i_x_10++) {
      for (int64_t i_x_11 = 0; i_x_11 < 16; i_x_11++) {
        acc_1[i_x_11] = fmaf(a[i_block_1 * 4 + i_x_10 + 48], packed[i_x_10 * 16 + i_x_11], acc_1[i_x_11]);
      }
    }
    for (int64_t i_x_12 = 0; i_x_12 < 8; i_x_12++) {
      output[i_block_1 * 8 + i_x_12 + 96] = acc_1[i_x_12];
    }
  }
  return 0;
}
