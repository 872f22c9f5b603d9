// bilateral(places: 9.f32, steepness: f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

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

int bilateral(
    int64_t M,
    int64_t N,
    const float *restrict places,
    float steepness,
    const float *restrict image,
    float *restrict output
) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float centre = image[m * N + n];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        const float d = steepness * (image[min_i64(M - 1, max_i64(m + places_i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)] - centre);
        weights[places_i] = (fabsf(places[places_i]) + 0.5f) * exp_f32(-(d * d));
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        acc = acc + weights[places_i] * image[min_i64(M - 1, max_i64(m + places_i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)];
      }
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        sum = sum + weights[places_i];
      }
      output[m * N + n] = acc / sum;
    }
  }
  #pragma omp parallel for schedule(static) if(183 < M * N)
  for (int64_t m = 0; m < M - 3; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const int64_t at_m_n = (m + 1) * N + n;
      const float centre = image[at_m_n];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        const float d = steepness * (image[(m + places_i / 3) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)] - centre);
        weights[places_i] = (fabsf(places[places_i]) + 0.5f) * exp_f32(-(d * d));
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        acc = acc + weights[places_i] * image[(m + places_i / 3) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)];
      }
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        sum = sum + weights[places_i];
      }
      output[at_m_n] = acc / sum;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const int64_t at_m_n = (m + 1) * N + n + 1;
      const float centre = image[at_m_n];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        const float d = steepness * (image[(m + places_i / 3) * N + n + places_i % 3] - centre);
        weights[places_i] = (fabsf(places[places_i]) + 0.5f) * exp_f32(-(d * d));
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        acc = acc + weights[places_i] * image[(m + places_i / 3) * N + n + places_i % 3];
      }
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        sum = sum + weights[places_i];
      }
      output[at_m_n] = acc / sum;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const int64_t at_m_n = (m + 1) * N + n + max_i64(N - 1, 1);
      const float centre = image[at_m_n];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        const float d = steepness * (image[(m + places_i / 3) * N + min_i64(N - 1, n + places_i % 3 + max_i64(N - 1, 1) - 1)] - centre);
        weights[places_i] = (fabsf(places[places_i]) + 0.5f) * exp_f32(-(d * d));
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        acc = acc + weights[places_i] * image[(m + places_i / 3) * N + min_i64(N - 1, n + places_i % 3 + max_i64(N - 1, 1) - 1)];
      }
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        sum = sum + weights[places_i];
      }
      output[at_m_n] = acc / sum;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 2); m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t at_m_n = (m + max_i64(M - 2, 1)) * N + n;
      const float centre = image[at_m_n];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        const float d = steepness * (image[min_i64(M - 1, m + places_i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)] - centre);
        weights[places_i] = (fabsf(places[places_i]) + 0.5f) * exp_f32(-(d * d));
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        acc = acc + weights[places_i] * image[min_i64(M - 1, m + places_i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + places_i % 3, 1) - 1)];
      }
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 9
      for (int64_t places_i = 0; places_i < 9; places_i++) {
        sum = sum + weights[places_i];
      }
      output[at_m_n] = acc / sum;
    }
  }
  return 0;
}
