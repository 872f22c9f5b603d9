// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
#include <stdbool.h>
#include <stdint.h>

int histogram(const int32_t *restrict bins, const int32_t *restrict xs, int32_t *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 20; i++) {
    const int32_t bin = bins[i];
    int32_t sum;
    _Alignas(64) int32_t acc[32];
    for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
      acc[xs_i] = 0;
    }
    for (int64_t xs_i_step = 0; xs_i_step < 3; xs_i_step++) {
      for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
        const int32_t choice = xs[xs_i_step * 32 + xs_i] == bin ? 1 : 0;
        acc[xs_i] = acc[xs_i] + choice;
      }
    }
    sum = 0;
    for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
      sum = sum + acc[xs_i];
    }
    #pragma GCC unroll 4
    for (int64_t xs_i = 0; xs_i < 4; xs_i++) {
      sum = sum + (xs[xs_i + 96] == bin ? 1 : 0);
    }
    output[i] = sum;
  }
  return 0;
}
