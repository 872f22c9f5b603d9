// rotary(angles: N.H.(f32, f32), rows: N.(2 * H).f32) -> N.(2 * H).f32 for all N, H
#include <stdint.h>

int rotary(
    int64_t N,
    int64_t H,
    const float *restrict angles_1,
    const float *restrict angles_2,
    const float *restrict rows,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < N; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < H; i_p_1++) {
      output[i_p * 2 * H + i_p_1 * 2] = angles_1[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2] - angles_2[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2 + 1];
      output[i_p * 2 * H + i_p_1 * 2 + 1] = angles_2[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2] + angles_1[i_p * H + i_p_1] * rows[i_p * 2 * H + i_p_1 * 2 + 1];
    }
  }
  return 0;
}
