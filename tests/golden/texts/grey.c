// grey(picture: M.N.3.u8) -> M.N.u8 for all M, N
#include <stdint.h>

int grey(int64_t M, int64_t N, const uint8_t *restrict picture, uint8_t *restrict output) {
  #pragma omp parallel for schedule(static) if(2340 < M * N)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      _Alignas(64) uint32_t picture_tile[3];
      #pragma GCC unroll 3
      for (int64_t picture_column = 0; picture_column < 3; picture_column++) {
        picture_tile[picture_column] = (uint32_t)picture[m * 3 * N + n * 3 + picture_column];
      }
      const uint32_t quotient = (77U * picture_tile[0] + 150U * picture_tile[1] + 29U * picture_tile[2]) / 256U;
      output[m * N + n] = (uint8_t)quotient;
    }
  }
  return 0;
}
