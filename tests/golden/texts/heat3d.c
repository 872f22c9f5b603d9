// heat3d(speed: f32, grid: L.M.N.f32) -> L.M.N.f32 for all L, M, N where N >= 1, M >= 1, L >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int heat3d(int64_t L, int64_t M, int64_t N, float speed, const float *restrict grid, float *restrict output) {
  const float speed_1 = speed;
  for (int64_t i_x = 0; i_x < min_i64(L, 1); i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < M; i_x_1++) {
      for (int64_t i_cube = 0; i_cube < N; i_cube++) {
        const float x = grid[(i_x_1 + M * min_i64(0, L - 1)) * N + i_cube] + grid[(min_i64(L - 1, i_x + 1) * M + i_x_1) * N + i_cube] + grid[(i_x * M + min_i64(M - 1, max_i64(i_x_1, 1) - 1)) * N + i_cube] + grid[(i_x * M + min_i64(M - 1, i_x_1 + 1)) * N + i_cube] + grid[(i_x * M + i_x_1) * N + min_i64(N - 1, max_i64(i_cube, 1) - 1)];
        const float x_1 = grid[(i_x * M + i_x_1) * N + i_cube] + speed_1 * (x + grid[(i_x * M + i_x_1) * N + min_i64(N - 1, i_cube + 1)] - 6.0f * grid[(i_x * M + i_x_1) * N + i_cube]);
        output[(i_x * M + i_x_1) * N + i_cube] = x_1;
      }
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < L - 2; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < min_i64(M, 1); i_x_1++) {
      for (int64_t i_cube = 0; i_cube < N; i_cube++) {
        const float x = grid[(i_x * M + i_x_1) * N + i_cube] + grid[((i_x + 2) * M + i_x_1) * N + i_cube] + grid[((i_x + 1) * M + min_i64(0, M - 1)) * N + i_cube] + grid[((i_x + 1) * M + min_i64(M - 1, i_x_1 + 1)) * N + i_cube] + grid[((i_x + 1) * M + i_x_1) * N + min_i64(N - 1, max_i64(i_cube, 1) - 1)];
        const float x_1 = grid[((i_x + 1) * M + i_x_1) * N + i_cube] + speed_1 * (x + grid[((i_x + 1) * M + i_x_1) * N + min_i64(N - 1, i_cube + 1)] - 6.0f * grid[((i_x + 1) * M + i_x_1) * N + i_cube]);
        output[((i_x + 1) * M + i_x_1) * N + i_cube] = x_1;
      }
    }
    for (int64_t i_x_1 = 0; i_x_1 < M - 2; i_x_1++) {
      for (int64_t i_cube = 0; i_cube < min_i64(N, 1); i_cube++) {
        const float x = grid[(i_x * M + i_x_1 + 1) * N + i_cube] + grid[((i_x + 2) * M + i_x_1 + 1) * N + i_cube] + grid[((i_x + 1) * M + i_x_1) * N + i_cube] + grid[((i_x + 1) * M + i_x_1 + 2) * N + i_cube] + grid[((i_x + 1) * M + i_x_1 + 1) * N + min_i64(0, N - 1)];
        const float x_1 = grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube] + speed_1 * (x + grid[((i_x + 1) * M + i_x_1 + 1) * N + min_i64(N - 1, i_cube + 1)] - 6.0f * grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube]);
        output[((i_x + 1) * M + i_x_1 + 1) * N + i_cube] = x_1;
      }
      for (int64_t i_cube = 0; i_cube < N - 2; i_cube++) {
        const float x = grid[(i_x * M + i_x_1 + 1) * N + i_cube + 1] + grid[((i_x + 2) * M + i_x_1 + 1) * N + i_cube + 1] + grid[((i_x + 1) * M + i_x_1) * N + i_cube + 1] + grid[((i_x + 1) * M + i_x_1 + 2) * N + i_cube + 1] + grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube];
        const float x_1 = grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + 1] + speed_1 * (x + grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + 2] - 6.0f * grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + 1]);
        output[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + 1] = x_1;
      }
      for (int64_t i_cube = 0; i_cube < min_i64(max_i64(0, N - 1), 1); i_cube++) {
        const float x = grid[(i_x * M + i_x_1 + 1) * N + i_cube + max_i64(N - 1, 1)] + grid[((i_x + 2) * M + i_x_1 + 1) * N + i_cube + max_i64(N - 1, 1)] + grid[((i_x + 1) * M + i_x_1) * N + i_cube + max_i64(N - 1, 1)] + grid[((i_x + 1) * M + i_x_1 + 2) * N + i_cube + max_i64(N - 1, 1)] + grid[((i_x + 1) * M + i_x_1 + 1) * N + min_i64(N - 1, i_cube + max_i64(N - 1, 1) - 1)];
        const float x_1 = grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + max_i64(N - 1, 1)] + speed_1 * (x + grid[((i_x + 1) * M + i_x_1 + 2) * N - 1] - 6.0f * grid[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + max_i64(N - 1, 1)]);
        output[((i_x + 1) * M + i_x_1 + 1) * N + i_cube + max_i64(N - 1, 1)] = x_1;
      }
    }
    for (int64_t i_x_1 = 0; i_x_1 < min_i64(max_i64(0, M - 1), 1); i_x_1++) {
      for (int64_t i_cube = 0; i_cube < N; i_cube++) {
        const float x = grid[(i_x * M + i_x_1 + max_i64(M - 1, 1)) * N + i_cube] + grid[((i_x + 2) * M + i_x_1 + max_i64(M - 1, 1)) * N + i_cube] + grid[((i_x + 1) * M + min_i64(M - 1, i_x_1 + max_i64(M - 1, 1) - 1)) * N + i_cube] + grid[((i_x + 2) * M - 1) * N + i_cube] + grid[((i_x + 1) * M + i_x_1 + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_cube, 1) - 1)];
        const float x_1 = grid[((i_x + 1) * M + i_x_1 + max_i64(M - 1, 1)) * N + i_cube] + speed_1 * (x + grid[((i_x + 1) * M + i_x_1 + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_cube + 1)] - 6.0f * grid[((i_x + 1) * M + i_x_1 + max_i64(M - 1, 1)) * N + i_cube]);
        output[((i_x + 1) * M + i_x_1 + max_i64(M - 1, 1)) * N + i_cube] = x_1;
      }
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, L - 1), 1); i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < M; i_x_1++) {
      for (int64_t i_cube = 0; i_cube < N; i_cube++) {
        const float x = grid[(min_i64(L - 1, i_x + max_i64(L - 1, 1) - 1) * M + i_x_1) * N + i_cube] + grid[(i_x_1 + (L - 1) * M) * N + i_cube] + grid[((i_x + max_i64(L - 1, 1)) * M + min_i64(M - 1, max_i64(i_x_1, 1) - 1)) * N + i_cube] + grid[((i_x + max_i64(L - 1, 1)) * M + min_i64(M - 1, i_x_1 + 1)) * N + i_cube] + grid[((i_x + max_i64(L - 1, 1)) * M + i_x_1) * N + min_i64(N - 1, max_i64(i_cube, 1) - 1)];
        const float x_1 = grid[((i_x + max_i64(L - 1, 1)) * M + i_x_1) * N + i_cube] + speed_1 * (x + grid[((i_x + max_i64(L - 1, 1)) * M + i_x_1) * N + min_i64(N - 1, i_cube + 1)] - 6.0f * grid[((i_x + max_i64(L - 1, 1)) * M + i_x_1) * N + i_cube]);
        output[((i_x + max_i64(L - 1, 1)) * M + i_x_1) * N + i_cube] = x_1;
      }
    }
  }
  return 0;
}
