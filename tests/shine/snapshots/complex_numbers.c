// kernel(xs: N.M.c64, y: M.c64) -> N.c64 for all N, M
#include <stdbool.h>
#include <stdint.h>

typedef struct { float re, im; } c64;

static inline c64 conj_c64(c64 a) { return (c64){a.re, -a.im}; }

static inline float rounded_f32(float x) { // gcc 12 adds products without rounding them first, whatever its flags
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
}

static inline c64 mul_c64(c64 a, c64 b) { return (c64){rounded_f32(a.re * b.re) + rounded_f32(-a.im * b.im), rounded_f32(a.re * b.im) + rounded_f32(a.im * b.re)}; }

static inline c64 add_c64(c64 a, c64 b) { return (c64){a.re + b.re, a.im + b.im}; }

int kernel(int64_t N, int64_t M, const c64 *restrict xs, const c64 *restrict y, c64 *restrict output) {
  const bool is_less = M < 9;
  if (is_less) {
    #pragma omp parallel for schedule(static) if(65535 < (224 * M + 96) * (N / 32))
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      _Alignas(64) c64 acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = (c64){0.0f, 0.0f};
      }
      for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = add_c64(acc[n], mul_c64(xs[(n_block * 32 + n) * M + m], conj_c64(y[m])));
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        output[n_block * 32 + n] = acc[n];
      }
    }
    #pragma omp parallel for schedule(static) if((224 * M + 96) * (N / 32) + 65535 < (7 * M + 3) * N)
    for (int64_t n = 0; n < N % 32; n++) {
      c64 acc;
      acc = (c64){0.0f, 0.0f};
      for (int64_t m = 0; m < M; m++) {
        acc = add_c64(acc, mul_c64(xs[(n + 32 * (N / 32)) * M + m], conj_c64(y[m])));
      }
      output[n + 32 * (N / 32)] = acc;
    }
  } else {
    #pragma omp parallel for schedule(static) if(65535 < (128 * (M / 16) + 211) * N)
    for (int64_t n = 0; n < N; n++) {
      _Alignas(64) c64 partials_from_acc[16];
      _Alignas(64) c64 acc[16];
      for (int64_t m = 0; m < 16; m++) {
        acc[m] = (c64){0.0f, 0.0f};
      }
      for (int64_t m_step = 0; m_step < M / 16; m_step++) {
        #pragma omp simd
        for (int64_t m = 0; m < 16; m++) {
          acc[m] = add_c64(acc[m], mul_c64(xs[n * M + m_step * 16 + m], conj_c64(y[m_step * 16 + m])));
        }
      }
      #pragma omp simd
      for (int64_t m = 0; m < 16; m++) {
        const int64_t at_m = m + 16 * (M / 16);
        const c64 p_2nd = at_m < M ? mul_c64(xs[n * M + m + 16 * (M / 16)], conj_c64(y[at_m])) : (c64){0.0f, 0.0f};
        partials_from_acc[m] = add_c64(p_2nd, acc[m]);
      }
      _Alignas(64) c64 partials[8];
      #pragma omp simd
      for (int64_t m = 0; m < 8; m++) {
        partials[m] = add_c64(partials_from_acc[m], partials_from_acc[m + 8]);
      }
      _Alignas(64) c64 sums[4];
      #pragma omp simd
      for (int64_t m = 0; m < 4; m++) {
        sums[m] = add_c64(partials[m], partials[m + 4]);
      }
      c64 sum;
      sum = (c64){0.0f, 0.0f};
      #pragma GCC unroll 4
      for (int64_t m = 0; m < 4; m++) {
        sum = add_c64(sum, sums[m]);
      }
      output[n] = sum;
    }
  }
  return 0;
}
