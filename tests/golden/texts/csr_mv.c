// csr_mv(rows: N..(i |-> len(i).(idx[M], f32)), x: M.f32) -> N.f32 for all N, M
#include <stdint.h>

int csr_mv(
    int64_t N,
    int64_t M,
    int64_t len_rows,
    int64_t len_sum,
    const int64_t *restrict rows_1st,
    const float *restrict rows_2nd,
    const float *restrict x,
    const int64_t *restrict len_starts,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    const int64_t right_len_starts_entry = len_starts[n + 1];
    const int64_t left_len_starts_entry = len_starts[n];
    float acc;
    acc = 0.0f;
    for (int64_t i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      const int64_t rows_1st_entry = rows_1st[left_len_starts_entry + i];
      acc = acc + rows_2nd[left_len_starts_entry + i] * x[rows_1st_entry];
    }
    output[n] = acc;
  }
  return 0;
}
