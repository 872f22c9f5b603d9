// trmv(a: N.N.f32, x: N.f32) -> N.f32 for all N
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int trmv(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < (144 * (N / 16) + 227) * N)
  for (int64_t n = 0; n < N; n++) {
    _Alignas(64) float partials_from_acc[16];
    _Alignas(64) float acc[16];
    for (int64_t n_column = 0; n_column < 16; n_column++) {
      acc[n_column] = 0.0f;
    }
    for (int64_t n_column_step = 0; n_column_step < min_i64(N / 16, n / 16 + 1); n_column_step++) {
      #pragma omp simd
      for (int64_t n_column = 0; n_column < 16; n_column++) {
        const float choice = n_column_step * 16 + n_column <= n ? a[n * N + n_column_step * 16 + n_column] * x[n_column_step * 16 + n_column] : 0.0f;
        acc[n_column] = acc[n_column] + choice;
      }
    }
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 16; n_column++) {
      const int64_t at_n_column = n_column + 16 * (N / 16);
      const float p_2nd = at_n_column < N ? (at_n_column <= n ? a[n * N + n_column + 16 * (N / 16)] * x[at_n_column] : 0.0f) : 0.0f;
      partials_from_acc[n_column] = p_2nd + acc[n_column];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 8; n_column++) {
      partials[n_column] = partials_from_acc[n_column] + partials_from_acc[n_column + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 4; n_column++) {
      sums[n_column] = partials[n_column] + partials[n_column + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n_column = 0; n_column < 4; n_column++) {
      sum = sum + sums[n_column];
    }
    output[n] = sum;
  }
  return 0;
}
