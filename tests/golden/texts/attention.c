// attention(scale: f32, queries: 8.4.f32, keys: 8.4.f32, values: 8.4.f32) -> 8.4.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

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

int attention(
    float scale,
    const float *restrict queries,
    const float *restrict keys,
    const float *restrict values,
    float *restrict output
) {
  _Alignas(64) float weights[64];
  _Alignas(64) float products[64];
  _Alignas(64) float keys_tile[64];
  for (int64_t queries_column = 0; queries_column < 4; queries_column++) {
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      keys_tile[queries_column * 16 + keys_row] = keys[min_i64(keys_row, 7) * 4 + queries_column];
    }
  }
  _Alignas(64) float sums_from_queries[96];
  for (int64_t row = 0; row < 6; row++) {
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      sums_from_queries[row * 16 + keys_row] = 0.0f;
    }
  }
  for (int64_t queries_column = 0; queries_column < 4; queries_column++) {
    for (int64_t row = 0; row < 6; row++) {
      #pragma omp simd
      for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
        sums_from_queries[row * 16 + keys_row] = fmaf(queries[row * 4 + queries_column], keys_tile[queries_column * 16 + keys_row], sums_from_queries[row * 16 + keys_row]);
      }
    }
  }
  for (int64_t row = 0; row < 6; row++) {
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      products[row * 8 + keys_row] = scale * sums_from_queries[row * 16 + keys_row];
    }
  }
  for (int64_t row = 0; row < 2; row++) {
    _Alignas(64) float sums_of_row[16];
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      sums_of_row[keys_row] = 0.0f;
    }
    for (int64_t queries_column = 0; queries_column < 4; queries_column++) {
      #pragma omp simd
      for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
        sums_of_row[keys_row] = fmaf(queries[row * 4 + queries_column + 24], keys_tile[queries_column * 16 + keys_row], sums_of_row[keys_row]);
      }
    }
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      products[row * 8 + keys_row + 48] = scale * sums_of_row[keys_row];
    }
  }
  for (int64_t row = 0; row < 8; row++) {
    keep_scalar();
    _Alignas(64) float partials_for_top_from_acc[16];
    _Alignas(64) float acc[16];
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      acc[keys_row] = -INFINITY;
    }
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      const float padded_products = keys_row < 8 ? products[row * 8 + keys_row] : -INFINITY;
      partials_for_top_from_acc[keys_row] = max_f32(padded_products, acc[keys_row]);
    }
    _Alignas(64) float partials_for_top[8];
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      partials_for_top[keys_row] = max_f32(partials_for_top_from_acc[keys_row], partials_for_top_from_acc[keys_row + 8]);
    }
    _Alignas(64) float maxima[4];
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 4; keys_row++) {
      maxima[keys_row] = max_f32(partials_for_top[keys_row], partials_for_top[keys_row + 4]);
    }
    float top;
    top = -INFINITY;
    #pragma GCC unroll 4
    for (int64_t keys_row = 0; keys_row < 4; keys_row++) {
      top = max_f32(top, maxima[keys_row]);
    }
    _Alignas(64) float weights_of_row[8];
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      weights_of_row[keys_row] = exp_f32(products[row * 8 + keys_row] - top);
    }
    _Alignas(64) float partials_for_total_from_acc[16];
    _Alignas(64) float acc_1[16];
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      acc_1[keys_row] = 0.0f;
    }
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 16; keys_row++) {
      const float padded_weights_of_row = keys_row < 8 ? weights_of_row[keys_row] : 0.0f;
      partials_for_total_from_acc[keys_row] = padded_weights_of_row + acc_1[keys_row];
    }
    _Alignas(64) float partials_for_total[8];
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      partials_for_total[keys_row] = partials_for_total_from_acc[keys_row] + partials_for_total_from_acc[keys_row + 8];
    }
    _Alignas(64) float sums_for_total[4];
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 4; keys_row++) {
      sums_for_total[keys_row] = partials_for_total[keys_row] + partials_for_total[keys_row + 4];
    }
    float total;
    total = 0.0f;
    #pragma GCC unroll 4
    for (int64_t keys_row = 0; keys_row < 4; keys_row++) {
      total = total + sums_for_total[keys_row];
    }
    #pragma omp simd
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      weights[row * 8 + keys_row] = weights_of_row[keys_row] / total;
    }
  }
  _Alignas(64) float values_tile[128];
  for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
    for (int64_t column = 0; column < 3; column++) {
      values_tile[keys_row * 16 + column] = values[keys_row * 4 + column];
    }
    for (int64_t column = 0; column < 13; column++) {
      values_tile[keys_row * 16 + column + 3] = values[keys_row * 4 + 3];
    }
  }
  _Alignas(64) float sums_from_weights[96];
  for (int64_t row = 0; row < 6; row++) {
    for (int64_t column = 0; column < 16; column++) {
      sums_from_weights[row * 16 + column] = 0.0f;
    }
  }
  for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
    for (int64_t row = 0; row < 6; row++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        sums_from_weights[row * 16 + column] = fmaf(weights[row * 8 + keys_row], values_tile[keys_row * 16 + column], sums_from_weights[row * 16 + column]);
      }
    }
  }
  for (int64_t row = 0; row < 6; row++) {
    #pragma GCC unroll 4
    for (int64_t column = 0; column < 4; column++) {
      output[row * 4 + column] = sums_from_weights[row * 16 + column];
    }
  }
  for (int64_t row = 0; row < 2; row++) {
    _Alignas(64) float sums_of_row[16];
    for (int64_t column = 0; column < 16; column++) {
      sums_of_row[column] = 0.0f;
    }
    for (int64_t keys_row = 0; keys_row < 8; keys_row++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        sums_of_row[column] = fmaf(weights[row * 8 + keys_row + 48], values_tile[keys_row * 16 + column], sums_of_row[column]);
      }
    }
    #pragma GCC unroll 4
    for (int64_t column = 0; column < 4; column++) {
      output[row * 4 + column + 24] = sums_of_row[column];
    }
  }
  return 0;
}
