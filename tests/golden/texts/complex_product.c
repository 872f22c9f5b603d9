// complex_product(xs: N.(f32, f32), ys: N.(f32, f32)) -> N.(f32, f32) for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int complex_product(
    int64_t N,
    const float *restrict xs_1st,
    const float *restrict xs_2nd,
    const float *restrict ys_1st,
    const float *restrict ys_2nd,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(127 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      output_1st[at_n] = xs_1st[at_n] * ys_1st[at_n] - xs_2nd[at_n] * ys_2nd[at_n];
      output_2nd[at_n] = xs_1st[at_n] * ys_2nd[at_n] + xs_2nd[at_n] * ys_1st[at_n];
    }
  }
  return 0;
}
