// grad2d(grid: M.N.f32) -> M.N.(f32, f32) for all M, N where M >= 1, N >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int grad2d(
    int64_t M,
    int64_t N,
    const float *restrict grid,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      output_1st[m * N + n] = 0.5f * (grid[m * N + min_i64(N - 1, n + 1)] - grid[m * N + min_i64(N - 1, max_i64(n, 1) - 1)]);
    }
    for (int64_t n = 0; n < N; n++) {
      output_2nd[m * N + n] = 0.5f * (grid[min_i64(M - 1, m + 1) * N + n] - grid[n + N * min_i64(0, M - 1)]);
    }
  }
  #pragma omp parallel for schedule(static) if(6553 < M * N)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      output_1st[(m + 1) * N + n] = 0.5f * (grid[(m + 1) * N + min_i64(N - 1, n + 1)] - grid[(m + 1) * N + min_i64(0, N - 1)]);
    }
    for (int64_t n_block = 0; n_block < max_i64(0, N - 2) / 32; n_block++) {
      __builtin_prefetch(&grid[(m + 2) * N + n_block * 32 + 2]);
      __builtin_prefetch(&grid[(m + 2) * N + n_block * 32 + 18]);
      __builtin_prefetch(&grid[(m + 2) * N + n_block * 32]);
      __builtin_prefetch(&grid[(m + 2) * N + n_block * 32 + 16]);
      __builtin_prefetch(&grid[(m + 3) * N + n_block * 32]);
      __builtin_prefetch(&grid[(m + 3) * N + n_block * 32 + 16]);
      __builtin_prefetch(&grid[(m + 1) * N + n_block * 32]);
      __builtin_prefetch(&grid[(m + 1) * N + n_block * 32 + 16]);
      __builtin_prefetch(&output_2nd[(m + 1) * N + n_block * 32], 1);
      __builtin_prefetch(&output_2nd[(m + 1) * N + n_block * 32 + 16], 1);
      for (int64_t n = 0; n < 32; n++) {
        output_1st[(m + 1) * N + n_block * 32 + n + 1] = 0.5f * (grid[(m + 1) * N + n_block * 32 + n + 2] - grid[(m + 1) * N + n_block * 32 + n]);
      }
    }
    for (int64_t n = 0; n < max_i64(0, N - 2) % 32; n++) {
      output_1st[(m + 1) * N + n + 32 * (max_i64(0, N - 2) / 32) + 1] = 0.5f * (grid[(m + 1) * N + n + 32 * (max_i64(0, N - 2) / 32) + 2] - grid[(m + 1) * N + n + 32 * (max_i64(0, N - 2) / 32)]);
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      output_1st[(m + 1) * N + n + max_i64(N - 1, 1)] = 0.5f * (grid[(m + 2) * N - 1] - grid[(m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)]);
    }
    for (int64_t n = 0; n < N; n++) {
      output_2nd[(m + 1) * N + n] = 0.5f * (grid[(m + 2) * N + n] - grid[m * N + n]);
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      output_1st[(m + max_i64(M - 1, 1)) * N + n] = 0.5f * (grid[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] - grid[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)]);
    }
    for (int64_t n = 0; n < N; n++) {
      output_2nd[(m + max_i64(M - 1, 1)) * N + n] = 0.5f * (grid[n + (M - 1) * N] - grid[min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n]);
    }
  }
  return 0;
}
