// lstm_cell(gates: N.((f32, f32), (f32, f32)), cells: N.f32) -> N.(f32, f32) for all N
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

static inline __attribute__((always_inline)) float exp_f32(float x) {
  float r;
  const int32_t n = halvings_f32(x, &r), half = n >> 1; // 2^n may not be a number: in two halves
  float y = exp_less_1_f32(r) + 1.0f;
  y = y * f32_of_bits((half + 127) << 23) * f32_of_bits((n - half + 127) << 23);
  y = x > 0x1.62e42ep+6f ? INFINITY : y;
  y = x < -104.0f ? 0.0f : y;
  return x != x ? x : y;
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

int lstm_cell(
    int64_t N,
    const float *restrict gates_1st,
    const float *restrict gates_2nd,
    const float *restrict gates_3rd,
    const float *restrict gates_4th,
    const float *restrict cells,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(16 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float quotient_from_gates_2nd = 1.0f / (1.0f + exp_f32(-gates_2nd[at_n]));
      const float quotient_from_gates_1st = 1.0f / (1.0f + exp_f32(-gates_1st[at_n]));
      const float new_ = quotient_from_gates_2nd * cells[at_n] + quotient_from_gates_1st * tanh_f32(gates_3rd[at_n]);
      output_1st[at_n] = 1.0f / (1.0f + exp_f32(-gates_4th[at_n])) * tanh_f32(new_);
      output_2nd[at_n] = new_;
    }
  }
  return 0;
}
