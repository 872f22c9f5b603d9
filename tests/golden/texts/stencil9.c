// stencil9(weights: 9.f32, grid: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int stencil9(
    int64_t M,
    int64_t N,
    const float *restrict weights,
    const float *restrict grid,
    float *restrict output
) {
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * grid[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      output[i_x * N + i_window] = acc;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 3; i_x++) {
    for (int64_t i_window = 0; i_window < min_i64(N, 1); i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * grid[(i_x + i_x_1 / 3) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      output[(i_x + 1) * N + i_window] = acc;
    }
    for (int64_t i_window = 0; i_window < N - 2; i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * grid[(i_x + i_x_1 / 3) * N + i_window + i_x_1 % 3];
      }
      output[(i_x + 1) * N + i_window + 1] = acc;
    }
    for (int64_t i_window = 0; i_window < min_i64(max_i64(0, N - 1), 1); i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * grid[(i_x + i_x_1 / 3) * N + min_i64(N - 1, i_window + i_x_1 % 3 + max_i64(N - 1, 1) - 1)];
      }
      output[(i_x + 1) * N + i_window + max_i64(N - 1, 1)] = acc;
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 2); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        acc = acc + weights[i_x_1] * grid[min_i64(M - 1, i_x + i_x_1 / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(i_window + i_x_1 % 3, 1) - 1)];
      }
      output[(i_x + max_i64(M - 2, 1)) * N + i_window] = acc;
    }
  }
  return 0;
}
