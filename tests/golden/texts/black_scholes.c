// black_scholes(rate: f32, volatility: f32, options: N.(f32, (f32, f32))) -> N.(f32, f32) for all N
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int32_t bits_of_f32(float a) {
  union { float value; int32_t bits; } r = {a};
  return r.bits;
}

static inline float f32_of_bits(int32_t a) {
  union { int32_t bits; float value; } r = {a};
  return r.value;
}

static inline float log_f32(float x) {
  const bool is_small = x < 0x1p-126f;
  const int32_t bits = bits_of_f32(is_small ? x * 0x1p+25f : x);
  const int32_t e = (bits - 0x3f3504f3) >> 23;
  const float f = f32_of_bits(bits - (e << 23)) - 1.0f;
  const float n = (float)(is_small ? e - 25 : e);
  float q = fmaf(0x1.14573ep-4f, f, -0x1.de3bf8p-4f);
  q = fmaf(q, f, 0x1.e6f08cp-4f);
  q = fmaf(q, f, -0x1.fc220ep-4f);
  q = fmaf(q, f, 0x1.233766p-3f);
  q = fmaf(q, f, -0x1.555c4ep-3f);
  q = fmaf(q, f, 0x1.99a4b6p-3f);
  q = fmaf(q, f, -0x1.000006p-2f);
  q = fmaf(q, f, 0x1.555548p-2f);
  float y = fmaf(n, 0x1.7f7d1cp-20f, fmaf(q * f - 0.5f, f * f, f));
  y = fmaf(n, 0x1.62e4p-1f, y);
  y = x == INFINITY ? x : y;
  y = x == 0.0f ? -INFINITY : y;
  return x >= 0.0f ? y : x != x ? x : NAN;
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

int black_scholes(
    int64_t N,
    float rate,
    float volatility,
    const float *restrict options_1,
    const float *restrict options_2,
    const float *restrict options_3,
    float *restrict output_1,
    float *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const float spread = volatility * sqrtf(options_3[n_block * 32 + n]);
      const float x = (rate + 0.5f * volatility * volatility) * options_3[n_block * 32 + n];
      const float x_1 = (log_f32(options_1[n_block * 32 + n] / options_2[n_block * 32 + n]) + x) / spread;
      const float d2 = x_1 - spread;
      const float x_2 = options_2[n_block * 32 + n] * exp_f32(-rate * options_3[n_block * 32 + n]);
      const int64_t at = (x_1 > 0.0f ? 1 : 0);
      float chosen;
      if (0 < at) {
        const float k = 1.0f / (1.0f + 0.2316419f * x_1);
        const float x_3 = 0.3989423f * exp_f32(-0.5f * x_1 * x_1);
        const float x_4 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_5 = 0.31938154f + k * (-0.35656378f + k * x_4);
        chosen = 1.0f - x_3 * k * x_5;
      }
      if (at < 1) {
        const float x_3 = -x_1;
        const float k = 1.0f / (1.0f + 0.2316419f * x_3);
        const float x_4 = 0.3989423f * exp_f32(-0.5f * x_3 * x_3);
        const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
        chosen = x_4 * k * x_6;
      }
      const int64_t at_1 = (d2 > 0.0f ? 1 : 0);
      float chosen_1;
      if (0 < at_1) {
        const float k = 1.0f / (1.0f + 0.2316419f * d2);
        const float x_3 = 0.3989423f * exp_f32(-0.5f * d2 * d2);
        const float x_4 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_5 = 0.31938154f + k * (-0.35656378f + k * x_4);
        chosen_1 = 1.0f - x_3 * k * x_5;
      }
      if (at_1 < 1) {
        const float x_3 = -d2;
        const float k = 1.0f / (1.0f + 0.2316419f * x_3);
        const float x_4 = 0.3989423f * exp_f32(-0.5f * x_3 * x_3);
        const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
        chosen_1 = x_4 * k * x_6;
      }
      const float x_3 = -d2;
      const int64_t at_2 = (x_3 > 0.0f ? 1 : 0);
      float chosen_2;
      if (0 < at_2) {
        const float k = 1.0f / (1.0f + 0.2316419f * x_3);
        const float x_4 = 0.3989423f * exp_f32(-0.5f * x_3 * x_3);
        const float x_5 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_6 = 0.31938154f + k * (-0.35656378f + k * x_5);
        chosen_2 = 1.0f - x_4 * k * x_6;
      }
      if (at_2 < 1) {
        const float x_4 = -x_3;
        const float k = 1.0f / (1.0f + 0.2316419f * x_4);
        const float x_5 = 0.3989423f * exp_f32(-0.5f * x_4 * x_4);
        const float x_6 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_7 = 0.31938154f + k * (-0.35656378f + k * x_6);
        chosen_2 = x_5 * k * x_7;
      }
      const float x_4 = -x_1;
      const int64_t at_3 = (x_4 > 0.0f ? 1 : 0);
      float chosen_3;
      if (0 < at_3) {
        const float k = 1.0f / (1.0f + 0.2316419f * x_4);
        const float x_5 = 0.3989423f * exp_f32(-0.5f * x_4 * x_4);
        const float x_6 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_7 = 0.31938154f + k * (-0.35656378f + k * x_6);
        chosen_3 = 1.0f - x_5 * k * x_7;
      }
      if (at_3 < 1) {
        const float x_5 = -x_4;
        const float k = 1.0f / (1.0f + 0.2316419f * x_5);
        const float x_6 = 0.3989423f * exp_f32(-0.5f * x_5 * x_5);
        const float x_7 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float x_8 = 0.31938154f + k * (-0.35656378f + k * x_7);
        chosen_3 = x_6 * k * x_8;
      }
      output_1[n_block * 32 + n] = options_1[n_block * 32 + n] * chosen - x_2 * chosen_1;
      output_2[n_block * 32 + n] = x_2 * chosen_2 - options_1[n_block * 32 + n] * chosen_3;
    }
  }
  return 0;
}
