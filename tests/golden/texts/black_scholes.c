// black_scholes(rate: f32, volatility: f32, options: N.(f32, (f32, f32))) -> N.(f32, f32) for all N
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) int32_t bits_of_f32(float a) {
  union { float value; int32_t bits; } r = {a};
  return r.bits;
}

static inline __attribute__((always_inline)) float f32_of_bits(int32_t a) {
  union { int32_t bits; float value; } r = {a};
  return r.value;
}

static inline __attribute__((always_inline)) int32_t split_f32(float x, float *m) { // x = m 2^n, m from sqrt(1/2) to sqrt(2); returns n
  const bool is_small = x < 0x1p-126f;
  const int32_t bits = bits_of_f32(is_small ? x * 0x1p+25f : x);
  const int32_t e = (bits - 0x3f3504f3) >> 23;
  *m = f32_of_bits(bits - (e << 23));
  return is_small ? e - 25 : e;
}

static inline __attribute__((always_inline)) float log_of_parts_f32(float n, float f) { // log(2^n (1 + f))
  float q = fmaf(0x1.14573ep-4f, f, -0x1.de3bf8p-4f);
  q = fmaf(q, f, 0x1.e6f08cp-4f);
  q = fmaf(q, f, -0x1.fc220ep-4f);
  q = fmaf(q, f, 0x1.233766p-3f);
  q = fmaf(q, f, -0x1.555c4ep-3f);
  q = fmaf(q, f, 0x1.99a4b6p-3f);
  q = fmaf(q, f, -0x1.000006p-2f);
  q = fmaf(q, f, 0x1.555548p-2f);
  const float y = fmaf(n, 0x1.7f7d1cp-20f, fmaf(q * f - 0.5f, f * f, f));
  return fmaf(n, 0x1.62e4p-1f, y);
}

static inline __attribute__((always_inline)) float end_of_log_f32(float x) { // what to add to a logarithm of x, for what is no positive number
  const uint32_t is_zero = x == 0.0f, is_infinite = x == INFINITY, has_none = !(x >= 0.0f);
  return f32_of_bits((-is_zero & 0xff800000) | (-is_infinite & 0x7f800000) | (-has_none & 0x7fc00000));
}

static inline __attribute__((always_inline)) float log_f32(float x) {
  float m;
  const int32_t n = split_f32(x, &m);
  return log_of_parts_f32((float)n, m - 1.0f) + end_of_log_f32(x);
}

static inline __attribute__((always_inline)) int32_t halvings_f32(float x, float *rest) { // n with x = n log 2 + rest, |x| < 2^22
  const float shifted = fmaf(x, 0x1.715476p+0f, 0x1.8p+23f); // its last bits are n
  const float n = shifted - 0x1.8p+23f;
  *rest = fmaf(-n, 0x1.7f7d1cp-20f, fmaf(-n, 0x1.62e4p-1f, x));
  return bits_of_f32(shifted) - 0x4b400000;
}

static inline __attribute__((always_inline)) float exp_less_1_f32(float r) { // e^r - 1, |r| <= log(2) / 2
  float q = fmaf(0x1.6a243p-10f, r, 0x1.1239e4p-7f);
  q = fmaf(q, r, 0x1.5558f2p-5f);
  q = fmaf(q, r, 0x1.555492p-3f);
  q = fmaf(q, r, 0x1.fffffcp-2f);
  return fmaf(q * r, r, r);
}

static inline __attribute__((always_inline)) float exp_f32(float x) {
  float r;
  const int32_t n = halvings_f32(x, &r), half = n >> 1; // 2^n may not be a number: in two halves
  float y = exp_less_1_f32(r) + 1.0f;
  y = y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
  y = x > 0x1.62e42ep+6f ? INFINITY : y;
  y = x < -104.0f ? 0.0f : y;
  return x != x ? x : y;
}

int black_scholes(
    int64_t N,
    float rate,
    float volatility,
    const float *restrict options_1st,
    const float *restrict options_2nd,
    const float *restrict options_3rd,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(4 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float spread = volatility * sqrtf(options_3rd[at_n]);
      const float product_from_rate = (rate + 0.5f * volatility * volatility) * options_3rd[at_n];
      const float d1 = (log_f32(options_1st[at_n] / options_2nd[at_n]) + product_from_rate) / spread;
      const float d2 = d1 - spread;
      const float discounted = options_2nd[at_n] * exp_f32(-rate * options_3rd[at_n]);
      const bool d1_is_positive = d1 > 0.0f;
      float chosen_from_options_1st;
      if (d1_is_positive) {
        const float k = 1.0f / (1.0f + 0.2316419f * d1);
        const float product_from_d1 = 0.3989423f * exp_f32(-0.5f * d1 * d1);
        const float sum_from_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_d1);
        chosen_from_options_1st = 1.0f - product_from_d1 * k * sum_from_k;
      } else {
        const float minus_d1 = -d1;
        const float k = 1.0f / (1.0f + 0.2316419f * minus_d1);
        const float product_from_minus_d1 = 0.3989423f * exp_f32(-0.5f * minus_d1 * minus_d1);
        const float sum_from_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d1);
        chosen_from_options_1st = product_from_minus_d1 * k * sum_from_k;
      }
      const bool d2_is_positive = d2 > 0.0f;
      float chosen;
      if (d2_is_positive) {
        const float k = 1.0f / (1.0f + 0.2316419f * d2);
        const float product_from_d2 = 0.3989423f * exp_f32(-0.5f * d2 * d2);
        const float sum_from_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_d2);
        chosen = 1.0f - product_from_d2 * k * sum_from_k;
      } else {
        const float minus_d2 = -d2;
        const float k = 1.0f / (1.0f + 0.2316419f * minus_d2);
        const float product_from_minus_d2 = 0.3989423f * exp_f32(-0.5f * minus_d2 * minus_d2);
        const float sum_from_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d2);
        chosen = product_from_minus_d2 * k * sum_from_k;
      }
      const float minus_d2 = -d2;
      const bool minus_d2_is_positive = minus_d2 > 0.0f;
      float chosen_from_k_d2;
      if (minus_d2_is_positive) {
        const float k = 1.0f / (1.0f + 0.2316419f * minus_d2);
        const float product_from_minus_d2 = 0.3989423f * exp_f32(-0.5f * minus_d2 * minus_d2);
        const float sum_from_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d2);
        chosen_from_k_d2 = 1.0f - product_from_minus_d2 * k * sum_from_k;
      } else {
        const float minus_minus_d2 = -minus_d2;
        const float k = 1.0f / (1.0f + 0.2316419f * minus_minus_d2);
        const float product_from_minus_minus_d2 = 0.3989423f * exp_f32(-0.5f * minus_minus_d2 * minus_minus_d2);
        const float sum_from_minus_minus_d2 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_minus_d2);
        chosen_from_k_d2 = product_from_minus_minus_d2 * k * sum_from_k;
      }
      const float minus_d1 = -d1;
      const bool minus_d1_is_positive = minus_d1 > 0.0f;
      float chosen_from_k_d1;
      if (minus_d1_is_positive) {
        const float k = 1.0f / (1.0f + 0.2316419f * minus_d1);
        const float product_from_minus_d1 = 0.3989423f * exp_f32(-0.5f * minus_d1 * minus_d1);
        const float sum_from_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_d1);
        chosen_from_k_d1 = 1.0f - product_from_minus_d1 * k * sum_from_k;
      } else {
        const float minus_minus_d1 = -minus_d1;
        const float k = 1.0f / (1.0f + 0.2316419f * minus_minus_d1);
        const float product_from_minus_minus_d1 = 0.3989423f * exp_f32(-0.5f * minus_minus_d1 * minus_minus_d1);
        const float sum_from_minus_minus_d1 = 1.7814779f + k * (-1.8212559f + k * 1.3302745f);
        const float sum_from_k = 0.31938154f + k * (-0.35656378f + k * sum_from_minus_minus_d1);
        chosen_from_k_d1 = product_from_minus_minus_d1 * k * sum_from_k;
      }
      output_1st[at_n] = options_1st[at_n] * chosen_from_options_1st - discounted * chosen;
      output_2nd[at_n] = discounted * chosen_from_k_d2 - options_1st[at_n] * chosen_from_k_d1;
    }
  }
  return 0;
}
