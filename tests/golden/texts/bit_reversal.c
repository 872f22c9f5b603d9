// bit_reversal(rows: M.8.(f32, f32)) -> M.8.(f32, f32) for all M
#include <stdint.h>

int bit_reversal(
    int64_t M,
    const float *restrict rows_1st,
    const float *restrict rows_2nd,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(315 < M)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t column = 0; column < 8; column++) {
      int64_t chosen;
      if (column < 4) {
        int64_t chosen_1;
        if (column < 2) {
          const int64_t at = (column < 1 ? 0 : 4);
          chosen_1 = at;
        } else {
          const int64_t at = (column < 3 ? 2 : 6);
          chosen_1 = at;
        }
        const int64_t chosen_entry = chosen_1;
        chosen = chosen_entry;
      } else {
        int64_t chosen_1;
        if (column < 6) {
          const int64_t at = (column < 5 ? 1 : 5);
          chosen_1 = at;
        } else {
          const int64_t at = (column < 7 ? 3 : 7);
          chosen_1 = at;
        }
        const int64_t chosen_entry = chosen_1;
        chosen = chosen_entry;
      }
      const int64_t chosen_entry = chosen;
      output_1st[m * 8 + column] = rows_1st[m * 8 + chosen_entry];
      output_2nd[m * 8 + column] = rows_2nd[m * 8 + chosen_entry];
    }
  }
  return 0;
}
