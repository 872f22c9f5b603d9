// grey(picture: M.N.3.u8) -> M.N.u8 for all M, N
#include <stdint.h>

int grey(int64_t M, int64_t N, const uint8_t *restrict picture, uint8_t *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    for (int64_t i_colours = 0; i_colours < N; i_colours++) {
      _Alignas(64) uint32_t c[3];
      #pragma GCC unroll 3
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        c[i_x_1] = (uint32_t)picture[i_x * 3 * N + i_colours * 3 + i_x_1];
      }
      const uint32_t x = (77U * c[0] + 150U * c[1] + 29U * c[2]) / 256U;
      output[i_x * N + i_colours] = (uint8_t)x;
    }
  }
  return 0;
}
