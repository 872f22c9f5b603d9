// attention(scale: f32, queries: 8.4.f32, keys: 8.4.f32, values: 8.4.f32) -> 8.4.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

static inline int32_t bits_of_f32(float a) {
  union { float value; int32_t bits; } r = {a};
  return r.bits;
}

static inline float f32_of_bits(int32_t a) {
  union { int32_t bits; float value; } r = {a};
  return r.value;
}

static inline float exp_f32(float x) {
  const float shifted = fmaf(x, 0x1.715476p+0f, 0x1.8p+23f); // its last bits are n
  const float n = shifted - 0x1.8p+23f;
  const float r = fmaf(-n, 0x1.7f7d1cp-20f, fmaf(-n, 0x1.62e4p-1f, x));
  float q = fmaf(0x1.6a243p-10f, r, 0x1.1239e4p-7f);
  q = fmaf(q, r, 0x1.5558f2p-5f);
  q = fmaf(q, r, 0x1.555492p-3f);
  q = fmaf(q, r, 0x1.fffffcp-2f);
  const int32_t k = bits_of_f32(shifted) - 0x4b400000, half = k >> 1; // 2^n may not be a number: in two halves
  float y = fmaf(q * r, r, r) + 1.0f;
  y = y * f32_of_bits((half + 127) << 23) * f32_of_bits((k - half + 127) << 23);
  y = x > 0x1.62e42ep+6f ? INFINITY : y;
  y = x < -104.0f ? 0.0f : y;
  return x != x ? x : y;
}

int attention(
    float scale,
    const float *restrict queries,
    const float *restrict keys,
    const float *restrict values,
    float *restrict output
) {
  const float scale_1 = scale;
  _Alignas(64) float packed[64];
  _Alignas(64) float packed_1[64];
  _Alignas(64) float packed_2[64];
  for (int64_t i_x = 0; i_x < 4; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 16; i_x_1++) {
      packed_2[i_x * 16 + i_x_1] = keys[min_i64(i_x_1, 7) * 4 + i_x];
    }
  }
  _Alignas(64) float acc[96];
  for (int64_t i_x_2 = 0; i_x_2 < 6; i_x_2++) {
    for (int64_t i_x_3 = 0; i_x_3 < 16; i_x_3++) {
      acc[i_x_2 * 16 + i_x_3] = 0.0f;
    }
  }
  for (int64_t i_x_4 = 0; i_x_4 < 4; i_x_4++) {
    for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
      for (int64_t i_x_6 = 0; i_x_6 < 16; i_x_6++) {
        acc[i_x_5 * 16 + i_x_6] = fmaf(queries[i_x_5 * 4 + i_x_4], packed_2[i_x_4 * 16 + i_x_6], acc[i_x_5 * 16 + i_x_6]);
      }
    }
  }
  for (int64_t i_p = 0; i_p < 6; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < 8; i_p_1++) {
      packed_1[i_p * 8 + i_p_1] = scale_1 * acc[i_p * 16 + i_p_1];
    }
  }
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    _Alignas(64) float acc_1[16];
    for (int64_t i_x_7 = 0; i_x_7 < 16; i_x_7++) {
      acc_1[i_x_7] = 0.0f;
    }
    for (int64_t i_x_8 = 0; i_x_8 < 4; i_x_8++) {
      for (int64_t i_x_9 = 0; i_x_9 < 16; i_x_9++) {
        acc_1[i_x_9] = fmaf(queries[i_block * 4 + i_x_8 + 24], packed_2[i_x_8 * 16 + i_x_9], acc_1[i_x_9]);
      }
    }
    for (int64_t i_p_2 = 0; i_p_2 < 8; i_p_2++) {
      packed_1[i_block * 8 + i_p_2 + 48] = scale_1 * acc_1[i_p_2];
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p_3 = 0; i_p_3 < 8; i_p_3++) {
    float x;
    _Alignas(64) float acc_2[32];
    for (int64_t i_x_10 = 0; i_x_10 < 32; i_x_10++) {
      acc_2[i_x_10] = -INFINITY;
    }
    float x_1;
    x_1 = -INFINITY;
    for (int64_t i_x_11 = 0; i_x_11 < 32; i_x_11++) {
      x_1 = max_f32(x_1, acc_2[i_x_11]);
    }
    x = x_1;
    #pragma GCC unroll 8
    for (int64_t i_x_12 = 0; i_x_12 < 8; i_x_12++) {
      x = max_f32(x, packed_1[i_p_3 * 8 + i_x_12]);
    }
    const float top = x;
    _Alignas(64) float weights[8];
    #pragma GCC unroll 8
    for (int64_t i_x_13 = 0; i_x_13 < 8; i_x_13++) {
      weights[i_x_13] = exp_f32(packed_1[i_p_3 * 8 + i_x_13] - top);
    }
    float x_2;
    _Alignas(64) float acc_3[32];
    for (int64_t i_x_14 = 0; i_x_14 < 32; i_x_14++) {
      acc_3[i_x_14] = 0.0f;
    }
    float x_3;
    x_3 = 0.0f;
    for (int64_t i_x_15 = 0; i_x_15 < 32; i_x_15++) {
      x_3 = x_3 + acc_3[i_x_15];
    }
    x_2 = x_3;
    #pragma GCC unroll 8
    for (int64_t i_x_16 = 0; i_x_16 < 8; i_x_16++) {
      x_2 = x_2 + weights[i_x_16];
    }
    const float total = x_2;
    for (int64_t i_w = 0; i_w < 8; i_w++) {
      packed[i_p_3 * 8 + i_w] = weights[i_w] / total;
    }
  }
  _Alignas(64) float packed_3[128];
  for (int64_t i_x_17 = 0; i_x_17 < 8; i_x_17++) {
    for (int64_t i_x_18 = 0; i_x_18 < 3; i_x_18++) {
      packed_3[i_x_17 * 16 + i_x_18] = values[i_x_17 * 4 + i_x_18];
    }
    for (int64_t i_x_18 = 0; i_x_18 < 13; i_x_18++) {
      packed_3[i_x_17 * 16 + i_x_18 + 3] = values[i_x_17 * 4 + 3];
    }
  }
  _Alignas(64) float acc_4[96];
  for (int64_t i_x_19 = 0; i_x_19 < 6; i_x_19++) {
    for (int64_t i_x_20 = 0; i_x_20 < 16; i_x_20++) {
      acc_4[i_x_19 * 16 + i_x_20] = 0.0f;
    }
  }
  for (int64_t i_x_21 = 0; i_x_21 < 8; i_x_21++) {
    for (int64_t i_x_22 = 0; i_x_22 < 6; i_x_22++) {
      for (int64_t i_x_23 = 0; i_x_23 < 16; i_x_23++) {
        acc_4[i_x_22 * 16 + i_x_23] = fmaf(packed[i_x_22 * 8 + i_x_21], packed_3[i_x_21 * 16 + i_x_23], acc_4[i_x_22 * 16 + i_x_23]);
      }
    }
  }
  for (int64_t i_x_24 = 0; i_x_24 < 6; i_x_24++) {
    #pragma GCC unroll 4
    for (int64_t i_x_25 = 0; i_x_25 < 4; i_x_25++) {
      output[i_x_24 * 4 + i_x_25] = acc_4[i_x_24 * 16 + i_x_25];
    }
  }
  for (int64_t i_block_1 = 0; i_block_1 < 2; i_block_1++) {
    _Alignas(64) float acc_5[16];
    for (int64_t i_x_26 = 0; i_x_26 < 16; i_x_26++) {
      acc_5[i_x_26] = 0.0f;
    }
    for (int64_t i_x_27 = 0; i_x_27 < 8; i_x_27++) {
      for (int64_t i_x_28 = 0; i_x_28 < 16; i_x_28++) {
        acc_5[i_x_28] = fmaf(packed[i_block_1 * 8 + i_x_27 + 48], packed_3[i_x_27 * 16 + i_x_28], acc_5[i_x_28]);
      }
    }
    #pragma GCC unroll 4
    for (int64_t i_x_29 = 0; i_x_29 < 4; i_x_29++) {
      output[i_block_1 * 4 + i_x_29 + 24] = acc_5[i_x_29];
    }
  }
  return 0;
}
