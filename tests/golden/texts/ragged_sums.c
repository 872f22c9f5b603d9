// ragged_sums(rows: N..(i |-> len(i).f32)) -> N.f32 for all N
#include <stdint.h>

int ragged_sums(
    int64_t N,
    int64_t len_rows,
    int64_t len_sum,
    const float *restrict rows,
    const int64_t *restrict len_starts,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    const int64_t right_len_starts_entry = len_starts[n + 1];
    const int64_t left_len_starts_entry = len_starts[n];
    float sum;
    sum = 0.0f;
    for (int64_t i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      sum = sum + rows[left_len_starts_entry + i];
    }
    output[n] = sum;
  }
  return 0;
}
