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
  for (int64_t i_len_rows = 0; i_len_rows < N; i_len_rows++) {
    const int64_t right_len_starts_entry = len_starts[i_len_rows + 1];
    const int64_t left_len_starts_entry = len_starts[i_len_rows];
    float total;
    total = 1.0f;
    for (int64_t i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      total = total + fabsf(rows[left_len_starts_entry + i]);
    }
    for (int64_t i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      output[left_len_starts_entry + i] = rows[left_len_starts_entry + i] / total;
    }
  }
  return 0;
}
