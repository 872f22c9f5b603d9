// cross_entropy(labels: B.idx[C], scores: B.C.f32) -> B.f32 for all B, C
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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

int cross_entropy(
    int64_t B,
    int64_t C,
    const int64_t *restrict labels,
    const float *restrict scores,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (416 * (C / 16) + 619) * B)
  for (int64_t b = 0; b < B; b++) {
    _Alignas(64) float partials_for_top_from_maxima[16];
    _Alignas(64) float maxima[16];
    for (int64_t c = 0; c < 16; c++) {
      maxima[c] = -INFINITY;
    }
    for (int64_t c_step = 0; c_step < C / 16; c_step++) {
      #pragma omp simd
      for (int64_t c = 0; c < 16; c++) {
        maxima[c] = max_f32(maxima[c], scores[b * C + c_step * 16 + c]);
      }
    }
    #pragma omp simd
    for (int64_t c = 0; c < 16; c++) {
      const float padded_scores = c + 16 * (C / 16) < C ? scores[b * C + c + 16 * (C / 16)] : -INFINITY;
      partials_for_top_from_maxima[c] = max_f32(padded_scores, maxima[c]);
    }
    _Alignas(64) float partials_for_top[8];
    #pragma omp simd
    for (int64_t c = 0; c < 8; c++) {
      partials_for_top[c] = max_f32(partials_for_top_from_maxima[c], partials_for_top_from_maxima[c + 8]);
    }
    _Alignas(64) float top_from_partials_for_top[4];
    #pragma omp simd
    for (int64_t c = 0; c < 4; c++) {
      top_from_partials_for_top[c] = max_f32(partials_for_top[c], partials_for_top[c + 4]);
    }
    float top;
    top = -INFINITY;
    #pragma GCC unroll 4
    for (int64_t c = 0; c < 4; c++) {
      top = max_f32(top, top_from_partials_for_top[c]);
    }
    _Alignas(64) float partials_from_sums[16];
    _Alignas(64) float sums_from_scores[16];
    for (int64_t c = 0; c < 16; c++) {
      sums_from_scores[c] = 0.0f;
    }
    for (int64_t c_step = 0; c_step < C / 16; c_step++) {
      __builtin_prefetch(&scores[(b + 1) * C + c_step * 16]);
      #pragma omp simd
      for (int64_t c = 0; c < 16; c++) {
        sums_from_scores[c] = sums_from_scores[c] + exp_f32(scores[b * C + c_step * 16 + c] - top);
      }
    }
    #pragma omp simd
    for (int64_t c = 0; c < 16; c++) {
      const float p_2nd = c + 16 * (C / 16) < C ? exp_f32(scores[b * C + c + 16 * (C / 16)] - top) : 0.0f;
      partials_from_sums[c] = p_2nd + sums_from_scores[c];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t c = 0; c < 8; c++) {
      partials[c] = partials_from_sums[c] + partials_from_sums[c + 8];
    }
    _Alignas(64) float sums_from_partials[4];
    #pragma omp simd
    for (int64_t c = 0; c < 4; c++) {
      sums_from_partials[c] = partials[c] + partials[c + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t c = 0; c < 4; c++) {
      sum = sum + sums_from_partials[c];
    }
    const int64_t labels_entry = labels[b];
    output[b] = top + log_f32(sum) - scores[b * C + labels_entry];
  }
  return 0;
}
