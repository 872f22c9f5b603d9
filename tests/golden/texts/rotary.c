// rotary(angles: N.H.(f32, f32), rows: N.(2 * H).f32) -> N.(2 * H).f32 for all N, H
#include <stdint.h>

int rotary(
    int64_t N,
    int64_t H,
    const float *restrict angles_1st,
    const float *restrict angles_2nd,
    const float *restrict rows,
    float *restrict output
) {
  #pragma omp parallel for schedule(static) if(4095 < H * N)
  for (int64_t n = 0; n < N; n++) {
    for (int64_t h_block = 0; h_block < H; h_block++) {
      const int64_t at_n_h = n * H + h_block;
      const int64_t at_n_h_block = n * 2 * H + h_block * 2 + 1;
      output[n * 2 * H + h_block * 2] = angles_1st[at_n_h] * rows[n * 2 * H + h_block * 2] - angles_2nd[at_n_h] * rows[at_n_h_block];
      output[at_n_h_block] = angles_2nd[at_n_h] * rows[n * 2 * H + h_block * 2] + angles_1st[at_n_h] * rows[at_n_h_block];
    }
  }
  return 0;
}
