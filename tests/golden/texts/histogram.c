// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
#include <stdbool.h>
#include <stdint.h>

int histogram(const int32_t *restrict bins, const int32_t *restrict xs, int32_t *restrict output) {
  for (int64_t i = 0; i < 20; i++) {
    const int32_t bin = bins[i];
    _Alignas(64) int32_t partials_from_acc[16];
    _Alignas(64) int32_t acc[16];
    for (int64_t xs_i = 0; xs_i < 16; xs_i++) {
      acc[xs_i] = 0;
    }
    for (int64_t xs_i_step = 0; xs_i_step < 6; xs_i_step++) {
      #pragma omp simd
      for (int64_t xs_i = 0; xs_i < 16; xs_i++) {
        const int32_t choice = xs[xs_i_step * 16 + xs_i] == bin ? 1 : 0;
        acc[xs_i] = acc[xs_i] + choice;
      }
    }
    #pragma omp simd
    for (int64_t xs_i = 0; xs_i < 4; xs_i++) {
      const int32_t p_2nd = xs_i < 4 ? (xs[xs_i + 96] == bin ? 1 : 0) : 0;
      partials_from_acc[xs_i] = p_2nd + acc[xs_i];
    }
    #pragma GCC unroll 12
    for (int64_t xs_i = 0; xs_i < 12; xs_i++) {
      partials_from_acc[xs_i + 4] = 0 + acc[xs_i + 4];
    }
    _Alignas(64) int32_t partials[8];
    #pragma omp simd
    for (int64_t xs_i = 0; xs_i < 8; xs_i++) {
      partials[xs_i] = partials_from_acc[xs_i] + partials_from_acc[xs_i + 8];
    }
    _Alignas(64) int32_t sums[4];
    #pragma omp simd
    for (int64_t xs_i = 0; xs_i < 4; xs_i++) {
      sums[xs_i] = partials[xs_i] + partials[xs_i + 4];
    }
    int32_t sum;
    sum = 0;
    #pragma GCC unroll 4
    for (int64_t xs_i = 0; xs_i < 4; xs_i++) {
      sum = sum + sums[xs_i];
    }
    output[i] = sum;
  }
  return 0;
}
