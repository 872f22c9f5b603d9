// axpy(alpha: f32, xs: N.f32, ys: N.f32) -> N.f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int axpy(int64_t N, float alpha, const float *restrict xs, const float *restrict ys, float *restrict output) {
  #pragma omp parallel for schedule(static) if(409 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      output[at_n] = alpha * xs[at_n] + ys[at_n];
    }
  }
  return 0;
}
