// gemm_bf16(a: 16.16.bf16, b: 16.16.bf16) -> 16.16.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint16_t bf16; // the upper half of a float

static inline float f32_of_bf16(bf16 a) {
  union { uint32_t bits; float value; } r = {(uint32_t)a << 16};
  return r.value;
}

int shine_gemm_bf16(const bf16 *restrict a, const bf16 *restrict b, float *restrict output) {
  _Alignas(64) float packed[256];
  for (int64_t i_x = 0; i_x < 16; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 16; i_x_1++) {
      packed[i_x * 16 + i_x_1] = f32_of_bf16(b[i_x * 16 + i_x_1]);
    }
  }
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    _Alignas(64) float acc[96];
    for (int64_t i_x_2 = 0; i_x_2 < 6; i_x_2++) {
      for (int64_t i_x_3 = 0; i_x_3 < 16; i_x_3++) {
        acc[i_x_2 * 16 + i_x_3] = 0.0f;
      }
    }
    for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
      for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
        for (int64_t i_x_6 = 0; i_x_6 < 16; i_x_6++) {
          acc[i_x_5 * 16 + i_x_6] = fmaf(f32_of_bf16(a[i_block * 96 + i_x_5 * 16 + i_x_4]), packed[i_x_4 * 16 + i_x_6], acc[i_x_5 * 16 + i_x_6]);
        }
      }
    }
    for (int64_t i_x_7 = 0; i_x_7 < 6; i_x_7++) {
      for (int64_t i_x_8 = 0; i_x_8 < 16; i_x_8++) {
        output[i_block * 96 + i_x_7 * 16 + i_x_8] = acc[i_x_7 * 16 + i_x_8];
      }
    }
  }
  for (int64_t i_block_1 = 0; i_block_1 < 4; i_block_1++) {
    _Alignas(64) float acc_1[16];
    for (int64_t i_x_9 = 0; i_x_9 < 16; i_x_9++) {
      acc_1[i_x_9] = 0.0f;
    }
    for (int64_t i_x_10 = 0; i_x_10 < 16; i_x_10++) {
      for (int64_t i_x_11 = 0; i_x_11 < 16; i_x_11++) {
        acc_1[i_x_11] = fmaf(f32_of_bf16(a[i_block_1 * 16 + i_x_10 + 192]), packed[i_x_10 * 16 + i_x_11], acc_1[i_x_11]);
      }
    }
    for (int64_t i_x_12 = 0; i_x_12 < 16; i_x_12++) {
      output[i_block_1 * 16 + i_x_12 + 192] = acc_1[i_x_12];
    }
  }
  return 0;
}
