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
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      const uint32_t x = (uint32_t)pictures_1[m * N + n] * (uint32_t)pictures_2[m * N + n] + (255U - (uint32_t)pictures_1[m * N + n]) * (uint32_t)pictures_3[m * N + n];
      output[m * N + n] = (uint8_t)((x + 127U) / 255U);
    }
  }
  return 0;
}
