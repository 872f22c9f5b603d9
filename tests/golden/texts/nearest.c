// nearest(points: 16.(f32, f32), queries: 16.(f32, f32)) -> 16.(f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int nearest(
    const float *restrict points_1,
    const float *restrict points_2,
    const float *restrict queries_1,
    const float *restrict queries_2,
    float *restrict output_1,
    int64_t *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_q = 0; i_q < 16; i_q++) {
    float acc;
    int64_t acc_1;
    acc = INFINITY;
    acc_1 = -1LL;
    for (int64_t i_x = 0; i_x < 16; i_x++) {
      const float dx = points_1[i_x] - queries_1[i_q];
      const float dy = points_2[i_x] - queries_2[i_q];
      const float b_1 = dx * dx + dy * dy;
      const bool choice = b_1 < acc;
      acc = choice ? b_1 : acc;
      acc_1 = choice ? i_x : acc_1;
    }
    output_1[i_q] = acc;
    output_2[i_q] = acc_1;
  }
  return 0;
}
