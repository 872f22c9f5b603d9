// matrix_chain(a: 4.4.f32, b: 4.8.f32, c: 8.8.f32) -> 4.8.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int matrix_chain(
    const float *restrict a,
    const float *restrict b,
    const float *restrict c,
    float *restrict output
) {
  _Alignas(64) float packed[32];
  _Alignas(64) float packed_1[64];
  for (int64_t i_x = 0; i_x < 4; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 16; i_x_1++) {
      packed_1[i_x * 16 + i_x_1] = b[i_x * 8 + min_i64(i_x_1, 7)];
    }
  }
  for (int64_t i_block = 0; i_block < 4; i_block++) {
    _Alignas(64) float acc[16];
    for (int64_t i_x_2 = 0; i_x_2 < 16; i_x_2++) {
      acc[i_x_2] = 0.0f;
    }
    for (int64_t i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
        acc[i_x_4] = fmaf(a[i_block * 4 + i_x_3], packed_1[i_x_3 * 16 + i_x_4], acc[i_x_4]);
      }
    }
    #pragma GCC unroll 8
    for (int64_t i_x_5 = 0; i_x_5 < 8; i_x_5++) {
      packed[i_block * 8 + i_x_5] = acc[i_x_5];
    }
  }
  _Alignas(64) float packed_2[128];
  for (int64_t i_x_6 = 0; i_x_6 < 8; i_x_6++) {
    for (int64_t i_x_7 = 0; i_x_7 < 16; i_x_7++) {
      packed_2[i_x_6 * 16 + i_x_7] = c[i_x_6 * 8 + min_i64(i_x_7, 7)];
    }
  }
  for (int64_t i_block_1 = 0; i_block_1 < 4; i_block_1++) {
    _Alignas(64) float acc_1[16];
    for (int64_t i_x_8 = 0; i_x_8 < 16; i_x_8++) {
      acc_1[i_x_8] = 0.0f;
    }
    for (int64_t i_x_9 = 0; i_x_9 < 8; i_x_9++) {
      for (int64_t i_x_10 = 0; i_x_10 < 16; i_x_10++) {
        acc_1[i_x_10] = fmaf(packed[i_block_1 * 8 + i_x_9], packed_2[i_x_9 * 16 + i_x_10], acc_1[i_x_10]);
      }
    }
    #pragma GCC unroll 8
    for (int64_t i_x_11 = 0; i_x_11 < 8; i_x_11++) {
      output[i_block_1 * 8 + i_x_11] = acc_1[i_x_11];
    }
  }
  return 0;
}
