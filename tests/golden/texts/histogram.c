// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
#include <stdbool.h>
#include <stdint.h>

int histogram(const int32_t *restrict bins, const int32_t *restrict xs, int32_t *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_bin = 0; i_bin < 20; i_bin++) {
    const int32_t bin = bins[i_bin];
    int32_t x;
    _Alignas(64) int32_t acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0;
    }
    for (int64_t i_row = 0; i_row < 3; i_row++) {
      for (int64_t i_p = 0; i_p < 32; i_p++) {
        const int32_t p_2 = xs[i_row * 32 + i_p] == bin ? 1 : 0;
        acc[i_p] = acc[i_p] + p_2;
      }
    }
    int32_t x_1;
    x_1 = 0;
    for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
      x_1 = x_1 + acc[i_x_1];
    }
    x = x_1;
    #pragma GCC unroll 4
    for (int64_t i_x_2 = 0; i_x_2 < 4; i_x_2++) {
      x = x + (xs[i_x_2 + 96] == bin ? 1 : 0);
    }
    output[i_bin] = x;
  }
  return 0;
}
