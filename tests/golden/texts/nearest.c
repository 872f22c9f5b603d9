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
  for (int64_t i = 0; i < 16; i++) {
    float acc;
    int64_t acc_1;
    acc = INFINITY;
    acc_1 = -1LL;
    for (int64_t points_1_i = 0; points_1_i < 16; points_1_i++) {
      const float dx = points_1[points_1_i] - queries_1[i];
      const float dy = points_2[points_1_i] - queries_2[i];
      const float b = dx * dx + dy * dy;
      const bool choice = b < acc;
      acc = choice ? b : acc;
      acc_1 = choice ? points_1_i : acc_1;
    }
    output_1[i] = acc;
    output_2[i] = acc_1;
  }
  return 0;
}
