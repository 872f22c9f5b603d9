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
    float a_1st;
    int64_t a_2nd;
    a_1st = INFINITY;
    a_2nd = -1LL;
    for (int64_t centres_row = 0; centres_row < 4; centres_row++) {
      float sum_of_centres_row;
      _Alignas(64) float acc[32];
      for (int64_t i = 0; i < 32; i++) {
        acc[i] = 0.0f;
      }
      float sum_of_centres_row_1;
      sum_of_centres_row_1 = 0.0f;
      for (int64_t i = 0; i < 32; i++) {
        sum_of_centres_row_1 = sum_of_centres_row_1 + acc[i];
      }
      sum_of_centres_row = sum_of_centres_row_1;
      #pragma GCC unroll 3
      for (int64_t centres_column = 0; centres_column < 3; centres_column++) {
        const float d = points[points_row * 3 + centres_column] - centres[centres_row * 3 + centres_column];
        sum_of_centres_row = sum_of_centres_row + d * d;
      }
      const bool sum_of_centres_row_is_less = sum_of_centres_row < a_1st;
      a_1st = sum_of_centres_row_is_less ? sum_of_centres_row : a_1st;
      a_2nd = sum_of_centres_row_is_less ? centres_row : a_2nd;
    }
    labels[points_row] = a_2nd;
  }
  #pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < 4; row++) {
    keep_scalar();
    float sum_for_sum;
    _Alignas(64) float acc_for_sum[32];
    for (int64_t i = 0; i < 32; i++) {
      acc_for_sum[i] = 0.0f;
    }
    float sum_for_sum_1;
    sum_for_sum_1 = 0.0f;
    for (int64_t i = 0; i < 32; i++) {
      sum_for_sum_1 = sum_for_sum_1 + acc_for_sum[i];
    }
    sum_for_sum = sum_for_sum_1;
    for (int64_t points_row = 0; points_row < 16; points_row++) {
      sum_for_sum = sum_for_sum + (labels[points_row] == row ? 1.0f : 0.0f);
    }
    for (int64_t column = 0; column < 3; column++) {
      const bool sum_is_positive = sum_for_sum > 0.0f;
      float chosen;
      if (sum_is_positive) {
        float sum_of_column;
        _Alignas(64) float acc[32];
        for (int64_t i = 0; i < 32; i++) {
          acc[i] = 0.0f;
        }
        float sum_of_column_1;
        sum_of_column_1 = 0.0f;
        for (int64_t i = 0; i < 32; i++) {
          sum_of_column_1 = sum_of_column_1 + acc[i];
        }
        sum_of_column = sum_of_column_1;
        for (int64_t points_row = 0; points_row < 16; points_row++) {
          sum_of_column = sum_of_column + (labels[points_row] == row ? points[points_row * 3 + column] : 0.0f);
        }
        chosen = sum_of_column / sum_for_sum;
      } else {
        chosen = centres[row * 3 + column];
      }
      output[row * 3 + column] = chosen;
    }
  }
  return 0;
}
