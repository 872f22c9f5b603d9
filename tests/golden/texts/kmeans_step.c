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
  _Alignas(64) float rows[64];
  _Alignas(64) float centres_tile[48];
  for (int64_t centres_column = 0; centres_column < 3; centres_column++) {
    for (int64_t centres_row = 0; centres_row < 3; centres_row++) {
      centres_tile[centres_column * 16 + centres_row] = centres[centres_row * 3 + centres_column];
    }
    for (int64_t centres_row = 0; centres_row < 13; centres_row++) {
      centres_tile[centres_column * 16 + centres_row + 3] = centres[centres_column + 9];
    }
  }
  for (int64_t points_row_step = 0; points_row_step < 2; points_row_step++) {
    _Alignas(64) float acc[96];
    for (int64_t points_row = 0; points_row < 6; points_row++) {
      for (int64_t centres_row = 0; centres_row < 16; centres_row++) {
        acc[points_row * 16 + centres_row] = 0.0f;
      }
    }
    for (int64_t centres_column = 0; centres_column < 3; centres_column++) {
      for (int64_t points_row = 0; points_row < 6; points_row++) {
        #pragma omp simd
        for (int64_t centres_row = 0; centres_row < 16; centres_row++) {
          const float d = points[points_row_step * 18 + points_row * 3 + centres_column] - centres_tile[centres_column * 16 + centres_row];
          acc[points_row * 16 + centres_row] = acc[points_row * 16 + centres_row] + d * d;
        }
      }
    }
    for (int64_t points_row = 0; points_row < 6; points_row++) {
      #pragma omp simd
      for (int64_t centres_row = 0; centres_row < 4; centres_row++) {
        rows[points_row_step * 24 + points_row * 4 + centres_row] = acc[points_row * 16 + centres_row];
      }
    }
  }
  for (int64_t points_row = 0; points_row < 4; points_row++) {
    _Alignas(64) float acc[16];
    for (int64_t centres_row = 0; centres_row < 16; centres_row++) {
      acc[centres_row] = 0.0f;
    }
    for (int64_t centres_column = 0; centres_column < 3; centres_column++) {
      #pragma omp simd
      for (int64_t centres_row = 0; centres_row < 16; centres_row++) {
        const float d = points[points_row * 3 + centres_column + 36] - centres_tile[centres_column * 16 + centres_row];
        acc[centres_row] = acc[centres_row] + d * d;
      }
    }
    #pragma omp simd
    for (int64_t centres_row = 0; centres_row < 4; centres_row++) {
      rows[points_row * 4 + centres_row + 48] = acc[centres_row];
    }
  }
  for (int64_t points_row = 0; points_row < 16; points_row++) {
    float a_1st;
    int64_t a_2nd;
    a_1st = INFINITY;
    a_2nd = -1LL;
    #pragma GCC unroll 4
    for (int64_t centres_row = 0; centres_row < 4; centres_row++) {
      const bool rows_is_less = rows[points_row * 4 + centres_row] < a_1st;
      a_1st = rows_is_less ? rows[points_row * 4 + centres_row] : a_1st;
      a_2nd = rows_is_less ? centres_row : a_2nd;
    }
    labels[points_row] = a_2nd;
  }
  for (int64_t row = 0; row < 4; row++) {
    keep_scalar();
    float count;
    count = 0.0f;
    for (int64_t points_row = 0; points_row < 16; points_row++) {
      count = count + (labels[points_row] == row ? 1.0f : 0.0f);
    }
    for (int64_t column = 0; column < 3; column++) {
      const bool count_is_positive = count > 0.0f;
      float chosen;
      if (count_is_positive) {
        float acc;
        acc = 0.0f;
        for (int64_t points_row = 0; points_row < 16; points_row++) {
          acc = acc + (labels[points_row] == row ? points[points_row * 3 + column] : 0.0f);
        }
        chosen = acc / count;
      } else {
        chosen = centres[row * 3 + column];
      }
      output[row * 3 + column] = chosen;
    }
  }
  return 0;
}
