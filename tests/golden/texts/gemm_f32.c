// gemm_f32(alpha: f32, beta: f32, a: 16.16.f32, b: 16.16.f32, c: 16.16.f32) -> 16.16.f32
#include <math.h>
#include <stdint.h>

int shine_gemm_f32(
    float alpha,
    float beta,
    const float *restrict a,
    const float *restrict b,
    const float *restrict c,
    float *restrict output
) {
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  _Alignas(64) float packed[256];
  for (int64_t i_x = 0; i_x < 16; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 16; i_x_1++) {
      packed[i_x * 16 + i_x_1] = b[i_x * 16 + i_x_1];
    }
  }
  for (int64_t i_x_2 = 0; i_x_2 < 2; i_x_2++) {
    _Alignas(64) float acc[96];
    for (int64_t i_x_3 = 0; i_x_3 < 6; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
        acc[i_x_3 * 16 + i_x_4] = 0.0f;
      }
    }
    for (int64_t i_x_5 = 0; i_x_5 < 16; i_x_5++) {
      for (int64_t i_x_6 = 0; i_x_6 < 6; i_x_6++) {
        for (int64_t i_x_7 = 0; i_x_7 < 16; i_x_7++) {
          acc[i_x_6 * 16 + i_x_7] = fmaf(a[i_x_2 * 96 + i_x_6 * 16 + i_x_5], packed[i_x_5 * 16 + i_x_7], acc[i_x_6 * 16 + i_x_7]);
        }
      }
    }
    for (int64_t i_p = 0; i_p < 6; i_p++) {
      for (int64_t i_p_1 = 0; i_p_1 < 16; i_p_1++) {
        output[i_x_2 * 96 + i_p * 16 + i_p_1] = alpha_1 * acc[i_p * 16 + i_p_1] + beta_1 * c[i_x_2 * 96 + i_p * 16 + i_p_1];
      }
    }
  }
  for (int64_t i_x_8 = 0; i_x_8 < 4; i_x_8++) {
    _Alignas(64) float acc_1[16];
    for (int64_t i_x_9 = 0; i_x_9 < 16; i_x_9++) {
      acc_1[i_x_9] = 0.0f;
    }
    for (int64_t i_x_10 = 0; i_x_10 < 16; i_x_10++) {
      for (int64_t i_x_11 = 0; i_x_11 < 16; i_x_11++) {
        acc_1[i_x_11] = fmaf(a[i_x_8 * 16 + i_x_10 + 192], packed[i_x_10 * 16 + i_x_11], acc_1[i_x_11]);
      }
    }
    for (int64_t i_p_2 = 0; i_p_2 < 16; i_p_2++) {
      output[i_x_8 * 16 + i_p_2 + 192] = alpha_1 * acc_1[i_p_2] + beta_1 * c[i_x_8 * 16 + i_p_2 + 192];
    }
  }
  return 0;
}
