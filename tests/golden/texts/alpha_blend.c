// alpha_blend(pictures: M.N.(u8, (u8, u8))) -> M.N.u8 for all M, N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int alpha_blend(
    int64_t M,
    int64_t N,
    const uint8_t *restrict pictures_1st,
    const uint8_t *restrict pictures_2nd,
    const uint8_t *restrict pictures_3rd,
    uint8_t *restrict output
) {
  #pragma omp parallel for schedule(static) if(85 < (M * N + 31) / 32)
  for (int64_t n_block = 0; n_block < (M * N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(M * N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const uint32_t sum = (uint32_t)pictures_1st[at_n] * (uint32_t)pictures_2nd[at_n] + (255U - (uint32_t)pictures_1st[at_n]) * (uint32_t)pictures_3rd[at_n];
      output[at_n] = (uint8_t)((sum + 127U) / 255U);
    }
  }
  return 0;
}
