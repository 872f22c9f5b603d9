// gelu(xs: N.f32) -> N.f32 for all N
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) int32_t bits_of_f32(float a) {
  union { float value; int32_t bits; } r = {a};
  return r.bits;
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

static inline __attribute__((always_inline)) float f32_of_bits(int32_t a) {
  union { int32_t bits; float value; } r = {a};
  return r.value;
}

static inline __attribute__((always_inline)) float half_exp_f32(float x) { // e^x / 2, of a number that is not negative
  float r;
  const int32_t k = halvings_f32(x > 90.0f ? 90.0f : x, &r) - 1, half = k >> 1;
  return (exp_less_1_f32(r) + 1.0f) * f32_of_bits((half + 127) << 23) * f32_of_bits((k - half + 127) << 23);
}

static inline __attribute__((always_inline)) float tanh_f32(float x) {
  const float a = fabsf(x), z = a * a;
  float q = fmaf(-0x1.4fb1fap-8f, z, 0x1.48db46p-6f);
  q = fmaf(q, z, -0x1.b6aee6p-5f);
  q = fmaf(q, z, 0x1.10fa24p-3f);
  q = fmaf(q, z, -0x1.5554f0p-2f);
  const float near = fmaf(q * z, a, a);
  const float far = 1.0f - 1.0f / (half_exp_f32(a + a) + 0.5f);
  return copysignf(a < 0x1.666666p-1f ? near : far, x);
}

int gelu(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(70 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const float this_xs = xs[n_block * 32 + n];
      const float sum = this_xs + 0.044715f * this_xs * this_xs * this_xs;
      output[n_block * 32 + n] = 0.5f * this_xs * (1.0f + tanh_f32(0.7978846f * sum));
    }
  }
  return 0;
}
