// grad2d(grid: M.N.f32) -> M.N.(f32, f32) for all M, N where M >= 1, N >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int grad2d(
    int64_t M,
    int64_t N,
    const float *restrict grid,
    float *restrict output_1,
    float *restrict output_2
) {
  for (int64_t i_p = 0; i_p < min_i64(M, 1); i_p++) {
    for (int64_t i_x = 0; i_x < N; i_x++) {
      output_1[i_p * N + i_x] = 0.5f * (grid[i_p * N + min_i64(N - 1, i_x + 1)] - grid[i_p * N + min_i64(N - 1, max_i64(i_x, 1) - 1)]);
    }
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      output_2[i_p * N + i_x_1] = 0.5f * (grid[min_i64(M - 1, i_p + 1) * N + i_x_1] - grid[i_x_1 + N * min_i64(0, M - 1)]);
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M - 2; i_p++) {
    for (int64_t i_x = 0; i_x < min_i64(N, 1); i_x++) {
      output_1[(i_p + 1) * N + i_x] = 0.5f * (grid[(i_p + 1) * N + min_i64(N - 1, i_x + 1)] - grid[(i_p + 1) * N + min_i64(0, N - 1)]);
    }
    for (int64_t i_x_step = 0; i_x_step < (N + 30) / 32 - 1; i_x_step++) {
      __builtin_prefetch(&grid[(i_p + 2) * N + i_x_step * 32 + 2]);
      __builtin_prefetch(&grid[(i_p + 2) * N + i_x_step * 32 + 18]);
      __builtin_prefetch(&grid[(i_p + 2) * N + i_x_step * 32]);
      __builtin_prefetch(&grid[(i_p + 2) * N + i_x_step * 32 + 16]);
      __builtin_prefetch(&grid[(i_p + 3) * N + i_x_step * 32]);
      __builtin_prefetch(&grid[(i_p + 3) * N + i_x_step * 32 + 16]);
      __builtin_prefetch(&grid[(i_p + 1) * N + i_x_step * 32]);
      __builtin_prefetch(&grid[(i_p + 1) * N + i_x_step * 32 + 16]);
      __builtin_prefetch(&output_2[(i_p + 1) * N + i_x_step * 32], 1);
      __builtin_prefetch(&output_2[(i_p + 1) * N + i_x_step * 32 + 16], 1);
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        output_1[(i_p + 1) * N + i_x_step * 32 + i_x + 1] = 0.5f * (grid[(i_p + 1) * N + i_x_step * 32 + i_x + 2] - grid[(i_p + 1) * N + i_x_step * 32 + i_x]);
      }
    }
    for (int64_t i_x = 0; i_x < (N + 30) % 32; i_x++) {
      output_1[(i_p + 1) * N + i_x + 32 * ((N + 30) / 32) - 31] = 0.5f * (grid[(i_p + 1) * N + i_x + 32 * ((N + 30) / 32) - 30] - grid[(i_p + 1) * N + i_x + 32 * ((N + 30) / 32) - 32]);
    }
    for (int64_t i_x = 0; i_x < min_i64(max_i64(0, N - 1), 1); i_x++) {
      output_1[(i_p + 1) * N + i_x + max_i64(N - 1, 1)] = 0.5f * (grid[(i_p + 2) * N - 1] - grid[(i_p + 1) * N + min_i64(N - 1, i_x + max_i64(N - 1, 1) - 1)]);
    }
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      output_2[(i_p + 1) * N + i_x_1] = 0.5f * (grid[(i_p + 2) * N + i_x_1] - grid[i_p * N + i_x_1]);
    }
  }
  for (int64_t i_p = 0; i_p < min_i64(max_i64(0, M - 1), 1); i_p++) {
    for (int64_t i_x = 0; i_x < N; i_x++) {
      output_1[(i_p + max_i64(M - 1, 1)) * N + i_x] = 0.5f * (grid[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_x + 1)] - grid[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_x, 1) - 1)]);
    }
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      output_2[(i_p + max_i64(M - 1, 1)) * N + i_x_1] = 0.5f * (grid[i_x_1 + (M - 1) * N] - grid[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + i_x_1]);
    }
  }
  return 0;
}
