// alpha_blend(pictures: M.N.(u8, (u8, u8))) -> M.N.u8 for all M, N
#include <stdint.h>

int alpha_blend(
    int64_t M,
    int64_t N,
    const uint8_t *restrict pictures_1,
    const uint8_t *restrict pictures_2,
    const uint8_t *restrict pictures_3,
    uint8_t *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    for (int64_t i_p = 0; i_p < N; i_p++) {
      const uint32_t x = (uint32_t)pictures_1[i_x * N + i_p] * (uint32_t)pictures_2[i_x * N + i_p] + (255U - (uint32_t)pictures_1[i_x * N + i_p]) * (uint32_t)pictures_3[i_x * N + i_p];
      output[i_x * N + i_p] = (uint8_t)((x + 127U) / 255U);
    }
  }
  return 0;
}
