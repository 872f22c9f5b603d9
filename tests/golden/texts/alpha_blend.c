// alpha_blend(pictures: M.N.(u8, (u8, u8))) -> M.N.u8 for all M, N
#include <stdint.h>

int alpha_blend(
    int64_t M,
    int64_t N,
    const uint8_t *restrict pictures_1st,
    const uint8_t *restrict pictures_2nd,
    const uint8_t *restrict pictures_3rd,
    uint8_t *restrict output
) {
  #pragma omp parallel for schedule(static) if(2730 < M * N)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t at_m_n = m * N + n;
      const uint32_t sum = (uint32_t)pictures_1st[at_m_n] * (uint32_t)pictures_2nd[at_m_n] + (255U - (uint32_t)pictures_1st[at_m_n]) * (uint32_t)pictures_3rd[at_m_n];
      output[at_m_n] = (uint8_t)((sum + 127U) / 255U);
    }
  }
  return 0;
}
