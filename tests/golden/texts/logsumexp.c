// logsumexp(rows: M.N.f32) -> M.f32 for all M, N
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

int logsumexp(int64_t M, int64_t N, const float *restrict rows, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < (416 * (N / 16) + 615) * M)
  for (int64_t m = 0; m < M; m++) {
    _Alignas(64) float partials_for_top_from_maxima[16];
    _Alignas(64) float maxima[16];
    for (int64_t n = 0; n < 16; n++) {
      maxima[n] = -INFINITY;
    }
    for (int64_t n_step = 0; n_step < N / 16; n_step++) {
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        maxima[n] = max_f32(maxima[n], rows[m * N + n_step * 16 + n]);
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 16; n++) {
      const float padded_rows = n + 16 * (N / 16) < N ? rows[m * N + n + 16 * (N / 16)] : -INFINITY;
      partials_for_top_from_maxima[n] = max_f32(padded_rows, maxima[n]);
    }
    _Alignas(64) float partials_for_top[8];
    #pragma omp simd
    for (int64_t n = 0; n < 8; n++) {
      partials_for_top[n] = max_f32(partials_for_top_from_maxima[n], partials_for_top_from_maxima[n + 8]);
    }
    _Alignas(64) float top_from_partials_for_top[4];
    #pragma omp simd
    for (int64_t n = 0; n < 4; n++) {
      top_from_partials_for_top[n] = max_f32(partials_for_top[n], partials_for_top[n + 4]);
    }
    float top;
    top = -INFINITY;
    #pragma GCC unroll 4
    for (int64_t n = 0; n < 4; n++) {
      top = max_f32(top, top_from_partials_for_top[n]);
    }
    _Alignas(64) float partials_from_sums[16];
    _Alignas(64) float sums_from_rows[16];
    for (int64_t n = 0; n < 16; n++) {
      sums_from_rows[n] = 0.0f;
    }
    for (int64_t n_step = 0; n_step < N / 16; n_step++) {
      __builtin_prefetch(&rows[(m + 1) * N + n_step * 16]);
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        sums_from_rows[n] = sums_from_rows[n] + exp_f32(rows[m * N + n_step * 16 + n] - top);
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 16; n++) {
      const float p_2nd = n + 16 * (N / 16) < N ? exp_f32(rows[m * N + n + 16 * (N / 16)] - top) : 0.0f;
      partials_from_sums[n] = p_2nd + sums_from_rows[n];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n = 0; n < 8; n++) {
      partials[n] = partials_from_sums[n] + partials_from_sums[n + 8];
    }
    _Alignas(64) float sums_from_partials[4];
    #pragma omp simd
    for (int64_t n = 0; n < 4; n++) {
      sums_from_partials[n] = partials[n] + partials[n + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n = 0; n < 4; n++) {
      sum = sum + sums_from_partials[n];
    }
    output[m] = top + log_f32(sum);
  }
  return 0;
}
