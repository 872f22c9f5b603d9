// trmv(a: N.N.f32, x: N.f32) -> N.f32 for all N
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int trmv(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t n_column = 0; n_column < 32; n_column++) {
      acc[n_column] = 0.0f;
    }
    for (int64_t n_column_step = 0; n_column_step < min_i64(N / 32, n / 32 + 1); n_column_step++) {
      for (int64_t n_column = 0; n_column < 32; n_column++) {
        const float choice = n_column_step * 32 + n_column <= n ? a[n * N + n_column_step * 32 + n_column] * x[n_column_step * 32 + n_column] : 0.0f;
        acc[n_column] = acc[n_column] + choice;
      }
    }
    sum = 0.0f;
    for (int64_t n_column = 0; n_column < 32; n_column++) {
      sum = sum + acc[n_column];
    }
    for (int64_t n_column = 0; n_column < min_i64(N % 32, max_i64(0, n - 32 * (N / 32) + 1)); n_column++) {
      sum = sum + a[n * N + n_column + 32 * (N / 32)] * x[n_column + 32 * (N / 32)];
    }
    output[n] = sum;
  }
  return 0;
}
