// kernel(xs: N.M.c64, y: M.c64) -> N.c64 for all N, M
#include <stdint.h>

typedef struct { float re, im; } c64;

static inline c64 conj_c64(c64 a) { return (c64){a.re, -a.im}; }

static inline c64 mul_c64(c64 a, c64 b) { return (c64){a.re * b.re + -a.im * b.im, a.re * b.im + a.im * b.re}; }

static inline c64 add_c64(c64 a, c64 b) { return (c64){a.re + b.re, a.im + b.im}; }

int kernel(int64_t N, int64_t M, const c64 *restrict xs, const c64 *restrict y, c64 *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    c64 sum;
    _Alignas(64) c64 acc[32];
    for (int64_t m = 0; m < 32; m++) {
      acc[m] = (c64){0.0f, 0.0f};
    }
    for (int64_t m_step = 0; m_step < M / 32; m_step++) {
      for (int64_t m = 0; m < 32; m++) {
        acc[m] = add_c64(acc[m], mul_c64(xs[n * M + m_step * 32 + m], conj_c64(y[m_step * 32 + m])));
      }
    }
    sum = (c64){0.0f, 0.0f};
    for (int64_t m = 0; m < 32; m++) {
      sum = add_c64(sum, acc[m]);
    }
    for (int64_t m = 0; m < M % 32; m++) {
      sum = add_c64(sum, mul_c64(xs[n * M + m + 32 * (M / 32)], conj_c64(y[m + 32 * (M / 32)])));
    }
    output[n] = sum;
  }
  return 0;
}
