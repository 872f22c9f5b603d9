// bilateral(places: 9.f32, steepness: f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

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

int bilateral(
    int64_t M,
    int64_t N,
    const float *restrict places,
    float steepness,
    const float *restrict image,
    float *restrict output
) {
  const float steepness_1 = steepness;
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      const float centre = image[i_x * N + i_window];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (image[min_i64(M - 1, max_i64(i_x + i_p / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_p % 3, 1) - 1)] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * exp_f32(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * image[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        x_1 = x_1 + weights[i_x_2];
      }
      output[i_x * N + i_window] = acc / x_1;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 3; i_x++) {
    for (int64_t i_window = 0; i_window < min_i64(N, 1); i_window++) {
      const float centre = image[(i_x + 1) * N + i_window];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (image[(i_x + i_p / 3) * N + min_i64(N - 1, max_i64(i_window + i_p % 3, 1) - 1)] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * exp_f32(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * image[(i_x + i_x_1 / 3) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        x_1 = x_1 + weights[i_x_2];
      }
      output[(i_x + 1) * N + i_window] = acc / x_1;
    }
    for (int64_t i_window = 0; i_window < N - 2; i_window++) {
      const float centre = image[(i_x + 1) * N + i_window + 1];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (image[(i_x + i_p / 3) * N + i_window + i_p % 3] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * exp_f32(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * image[(i_x + i_x_1 / 3) * N + i_window + i_x_1 % 3];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        x_1 = x_1 + weights[i_x_2];
      }
      output[(i_x + 1) * N + i_window + 1] = acc / x_1;
    }
    for (int64_t i_window = 0; i_window < min_i64(max_i64(0, N - 1), 1); i_window++) {
      const float centre = image[(i_x + 1) * N + i_window + max_i64(N - 1, 1)];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (image[(i_x + i_p / 3) * N + min_i64(N - 1, i_window + i_p % 3 + max_i64(N - 1, 1) - 1)] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * exp_f32(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * image[(i_x + i_x_1 / 3) * N + min_i64(N - 1, i_window + i_x_1 % 3 + max_i64(N - 1, 1) - 1)];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        x_1 = x_1 + weights[i_x_2];
      }
      output[(i_x + 1) * N + i_window + max_i64(N - 1, 1)] = acc / x_1;
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 2); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      const float centre = image[(i_x + max_i64(M - 2, 1)) * N + i_window];
      _Alignas(64) float weights[9];
      #pragma GCC unroll 9
      for (int64_t i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (image[min_i64(M - 1, i_x + i_p / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_p % 3, 1) - 1)] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * exp_f32(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * image[min_i64(M - 1, i_x + i_x_1 / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        x_1 = x_1 + weights[i_x_2];
      }
      output[(i_x + max_i64(M - 2, 1)) * N + i_window] = acc / x_1;
    }
  }
  return 0;
}
