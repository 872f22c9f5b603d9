// nearest(points: 16.(f32, f32), queries: 16.(f32, f32)) -> 16.(f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int nearest(
    const float *restrict points_1st,
    const float *restrict points_2nd,
    const float *restrict queries_1st,
    const float *restrict queries_2nd,
    float *restrict output_1st,
    int64_t *restrict output_2nd
) {
  _Alignas(64) float acc_1st[16];
  _Alignas(64) int64_t acc_2nd[16];
  for (int64_t i = 0; i < 16; i++) {
    acc_1st[i] = INFINITY;
    acc_2nd[i] = -1LL;
  }
  for (int64_t points_1st_i = 0; points_1st_i < 16; points_1st_i++) {
    #pragma omp simd
    for (int64_t i = 0; i < 16; i++) {
      const float dx = points_1st[points_1st_i] - queries_1st[i];
      const float dy = points_2nd[points_1st_i] - queries_2nd[i];
      const float sum = dx * dx + dy * dy;
      const bool sum_is_less = sum < acc_1st[i];
      acc_1st[i] = sum_is_less ? sum : acc_1st[i];
      acc_2nd[i] = sum_is_less ? points_1st_i : acc_2nd[i];
    }
  }
  for (int64_t i = 0; i < 16; i++) {
    output_1st[i] = acc_1st[i];
    output_2nd[i] = acc_2nd[i];
  }
  return 0;
}
