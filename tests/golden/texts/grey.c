// grey(picture: M.N.3.u8) -> M.N.u8 for all M, N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int grey(int64_t M, int64_t N, const uint8_t *restrict picture, uint8_t *restrict output) {
  #pragma omp parallel for schedule(static) if(93 < (M * N + 31) / 32)
  for (int64_t n_block = 0; n_block < (M * N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(M * N - n_block * 32, 32); n++) {
      const uint32_t sum = 77U * (uint32_t)picture[n_block * 96 + n * 3] + 150U * (uint32_t)picture[n_block * 96 + n * 3 + 1] + 29U * (uint32_t)picture[n_block * 96 + n * 3 + 2];
      output[n_block * 32 + n] = (uint8_t)(sum / 256U);
    }
  }
  return 0;
}
