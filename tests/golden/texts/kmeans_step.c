// kmeans_step(centres: 4.3.f32, points: 16.3.f32) -> 4.3.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

int kmeans_step(const float *restrict centres, const float *restrict points, float *restrict output) {
  _Alignas(64) int64_t labels[16];
  #pragma omp parallel for schedule(static)
  for (int64_t points_row = 0; points_row < 16; points_row++) {
    float a;
    int64_t a_1;
    a = INFINITY;
    a_1 = -1LL;
    for (int64_t centres_row = 0; centres_row < 4; centres_row++) {
      float x;
      _Alignas(64) float acc[32];
      for (int64_t i = 0; i < 32; i++) {
        acc[i] = 0.0f;
      }
      float x_1;
      x_1 = 0.0f;
      for (int64_t i = 0; i < 32; i++) {
        x_1 = x_1 + acc[i];
      }
      x = x_1;
      #pragma GCC unroll 3
      for (int64_t centres_column = 0; centres_column < 3; centres_column++) {
        const float d = points[points_row * 3 + centres_column] - centres[centres_row * 3 + centres_column];
        x = x + d * d;
      }
      const bool choice = x < a;
      a = choice ? x : a;
      a_1 = choice ? centres_row : a_1;
    }
    labels[points_row] = a_1;
  }
  #pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < 4; row++) {
    keep_scalar();
    float x;
    _Alignas(64) float acc[32];
    for (int64_t i = 0; i < 32; i++) {
      acc[i] = 0.0f;
    }
    float x_1;
    x_1 = 0.0f;
    for (int64_t i = 0; i < 32; i++) {
      x_1 = x_1 + acc[i];
    }
    x = x_1;
    for (int64_t points_row = 0; points_row < 16; points_row++) {
      x = x + (labels[points_row] == row ? 1.0f : 0.0f);
    }
    const float sum = x;
    for (int64_t column = 0; column < 3; column++) {
      const int64_t at = (sum > 0.0f ? 1 : 0);
      float chosen;
      if (0 < at) {
        float x_2;
        _Alignas(64) float acc_1[32];
        for (int64_t i = 0; i < 32; i++) {
          acc_1[i] = 0.0f;
        }
        float x_3;
        x_3 = 0.0f;
        for (int64_t i = 0; i < 32; i++) {
          x_3 = x_3 + acc_1[i];
        }
        x_2 = x_3;
        for (int64_t points_row = 0; points_row < 16; points_row++) {
          x_2 = x_2 + (labels[points_row] == row ? points[points_row * 3 + column] : 0.0f);
        }
        chosen = x_2 / sum;
      }
      if (at < 1) {
        chosen = centres[row * 3 + column];
      }
      output[row * 3 + column] = chosen;
    }
  }
  return 0;
}
