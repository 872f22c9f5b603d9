// bit_reversal(rows: M.8.(f32, f32)) -> M.8.(f32, f32) for all M
#include <stdint.h>

int bit_reversal(
    int64_t M,
    const float *restrict rows_1,
    const float *restrict rows_2,
    float *restrict output_1,
    float *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < 8; i_x_1++) {
      int64_t chosen_2;
      if (i_x_1 < 4) {
        int64_t chosen;
        if (i_x_1 < 2) {
          const int64_t at = (i_x_1 < 1 ? 0 : 4);
          chosen = at;
        }
        if (1 < i_x_1) {
          const int64_t at_1 = (i_x_1 < 3 ? 2 : 6);
          chosen = at_1;
        }
        const int64_t at_2 = chosen;
        chosen_2 = at_2;
      }
      if (3 < i_x_1) {
        int64_t chosen_1;
        if (i_x_1 < 6) {
          const int64_t at_3 = (i_x_1 < 5 ? 1 : 5);
          chosen_1 = at_3;
        }
        if (5 < i_x_1) {
          const int64_t at_4 = (i_x_1 < 7 ? 3 : 7);
          chosen_1 = at_4;
        }
        const int64_t at_5 = chosen_1;
        chosen_2 = at_5;
      }
      const int64_t at_6 = chosen_2;
      output_1[i_x * 8 + i_x_1] = rows_1[i_x * 8 + at_6];
      output_2[i_x * 8 + i_x_1] = rows_2[i_x * 8 + at_6];
    }
  }
  return 0;
}
