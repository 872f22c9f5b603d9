// kmeans_step(centres: 4.3.f32, points: 16.3.f32) -> 4.3.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int kmeans_step(const float *restrict centres, const float *restrict points, float *restrict output) {
  _Alignas(64) int64_t labels[16];
  #pragma omp parallel for schedule(static)
  for (int64_t i_point = 0; i_point < 16; i_point++) {
    float a;
    int64_t a_1;
    a = INFINITY;
    a_1 = -1LL;
    for (int64_t i_b = 0; i_b < 4; i_b++) {
      float x;
      _Alignas(64) float acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0.0f;
      }
      float x_1;
      x_1 = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = x_1 + acc[i_x_1];
      }
      x = x_1;
      #pragma GCC unroll 3
      for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
        const float d = points[i_point * 3 + i_x_2] - centres[i_b * 3 + i_x_2];
        x = x + d * d;
      }
      const bool choice = x < a;
      a = choice ? x : a;
      a_1 = choice ? i_b : a_1;
    }
    labels[i_point] = a_1;
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 4; i_p++) {
    float x_2;
    _Alignas(64) float acc_1[32];
    for (int64_t i_x_3 = 0; i_x_3 < 32; i_x_3++) {
      acc_1[i_x_3] = 0.0f;
    }
    float x_3;
    x_3 = 0.0f;
    for (int64_t i_x_4 = 0; i_x_4 < 32; i_x_4++) {
      x_3 = x_3 + acc_1[i_x_4];
    }
    x_2 = x_3;
    for (int64_t i_x_5 = 0; i_x_5 < 16; i_x_5++) {
      x_2 = x_2 + (labels[i_x_5] == i_p ? 1.0f : 0.0f);
    }
    const float sum = x_2;
    for (int64_t i_p_1 = 0; i_p_1 < 3; i_p_1++) {
      const int64_t at = (sum > 0.0f ? 1 : 0);
      float chosen;
      if (0 < at) {
        float x_4;
        _Alignas(64) float acc_2[32];
        for (int64_t i_x_6 = 0; i_x_6 < 32; i_x_6++) {
          acc_2[i_x_6] = 0.0f;
        }
        float x_5;
        x_5 = 0.0f;
        for (int64_t i_x_7 = 0; i_x_7 < 32; i_x_7++) {
          x_5 = x_5 + acc_2[i_x_7];
        }
        x_4 = x_5;
        for (int64_t i_x_8 = 0; i_x_8 < 16; i_x_8++) {
          x_4 = x_4 + (labels[i_x_8] == i_p ? points[i_x_8 * 3 + i_p_1] : 0.0f);
        }
        chosen = x_4 / sum;
      }
      if (at < 1) {
        chosen = centres[i_p * 3 + i_p_1];
      }
      output[i_p * 3 + i_p_1] = chosen;
    }
  }
  return 0;
}
