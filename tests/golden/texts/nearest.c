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
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 16; i++) {
    float acc_1st;
    int64_t acc_2nd;
    acc_1st = INFINITY;
    acc_2nd = -1LL;
    for (int64_t points_1st_i = 0; points_1st_i < 16; points_1st_i++) {
      const float dx = points_1st[points_1st_i] - queries_1st[i];
      const float dy = points_2nd[points_1st_i] - queries_2nd[i];
      const float sum = dx * dx + dy * dy;
      const bool sum_is_less = sum < acc_1st;
      acc_1st = sum_is_less ? sum : acc_1st;
      acc_2nd = sum_is_less ? points_1st_i : acc_2nd;
    }
    output_1st[i] = acc_1st;
    output_2nd[i] = acc_2nd;
  }
  return 0;
}
