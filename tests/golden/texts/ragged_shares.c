// ragged_shares(rows: N..(i |-> len(i).f32)) -> N..(i |-> len(i).f32) for all N
#include <math.h>
#include <stdint.h>

int ragged_shares(
    int64_t N,
    int64_t len_rows,
    int64_t len_sum,
    const float *restrict rows,
    const int64_t *restrict len_starts,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_row = 0; i_row < N; i_row++) {
    const int64_t at = len_starts[i_row + 1];
    const int64_t at_1 = len_starts[i_row];
    float acc;
    acc = 1.0f;
    for (int64_t i_x = 0; i_x < at - at_1; i_x++) {
      acc = acc + fabsf(rows[at_1 + i_x]);
    }
    const float total = acc;
    for (int64_t i_x_1 = 0; i_x_1 < at - at_1; i_x_1++) {
      output[at_1 + i_x_1] = rows[at_1 + i_x_1] / total;
    }
  }
  return 0;
}
