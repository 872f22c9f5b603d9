// softmax(rows: 16.10.f32) -> 16.10.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

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

int softmax(const float *restrict rows, float *restrict output) {
  for (int64_t row = 0; row < 16; row++) {
    keep_scalar();
    _Alignas(64) float partials_for_top_from_acc[16];
    _Alignas(64) float acc[16];
    for (int64_t rows_column = 0; rows_column < 16; rows_column++) {
      acc[rows_column] = -INFINITY;
    }
    #pragma omp simd
    for (int64_t rows_column = 0; rows_column < 16; rows_column++) {
      const float padded_rows = rows_column < 10 ? rows[row * 10 + rows_column] : -INFINITY;
      partials_for_top_from_acc[rows_column] = max_f32(padded_rows, acc[rows_column]);
    }
    _Alignas(64) float partials_for_top[8];
    #pragma omp simd
    for (int64_t rows_column = 0; rows_column < 8; rows_column++) {
      partials_for_top[rows_column] = max_f32(partials_for_top_from_acc[rows_column], partials_for_top_from_acc[rows_column + 8]);
    }
    _Alignas(64) float maxima[4];
    #pragma omp simd
    for (int64_t rows_column = 0; rows_column < 4; rows_column++) {
      maxima[rows_column] = max_f32(partials_for_top[rows_column], partials_for_top[rows_column + 4]);
    }
    float top;
    top = -INFINITY;
    #pragma GCC unroll 4
    for (int64_t rows_column = 0; rows_column < 4; rows_column++) {
      top = max_f32(top, maxima[rows_column]);
    }
    _Alignas(64) float weights[10];
    #pragma GCC unroll 10
    for (int64_t column = 0; column < 10; column++) {
      weights[column] = exp_f32(rows[row * 10 + column] - top);
    }
    _Alignas(64) float partials_for_total_from_acc[16];
    _Alignas(64) float acc_1[16];
    for (int64_t column = 0; column < 16; column++) {
      acc_1[column] = 0.0f;
    }
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      const float padded_weights = column < 10 ? weights[column] : 0.0f;
      partials_for_total_from_acc[column] = padded_weights + acc_1[column];
    }
    _Alignas(64) float partials_for_total[8];
    #pragma omp simd
    for (int64_t column = 0; column < 8; column++) {
      partials_for_total[column] = partials_for_total_from_acc[column] + partials_for_total_from_acc[column + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t column = 0; column < 4; column++) {
      sums[column] = partials_for_total[column] + partials_for_total[column + 4];
    }
    float total;
    total = 0.0f;
    #pragma GCC unroll 4
    for (int64_t column = 0; column < 4; column++) {
      total = total + sums[column];
    }
    for (int64_t column = 0; column < 10; column++) {
      output[row * 10 + column] = weights[column] / total;
    }
  }
  return 0;
}
