// game_of_life(grid: M.N.u8) -> M.N.u8 for all M, N where N >= 1, M >= 1
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int game_of_life(int64_t M, int64_t N, const uint8_t *restrict grid, uint8_t *restrict output) {
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_around = 0; i_around < N; i_around++) {
      uint8_t x;
      x = 0;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        x = (uint8_t)(x + (0 < i_x + i_x_1 / 3 && i_x + i_x_1 / 3 < M + 1 ? (i_x_1 / 3 * 3 < i_around + i_x_1 && i_around + i_x_1 < i_x_1 / 3 * 3 + N + 1 ? grid[(i_x + i_x_1 / 3 - 1) * N + i_around + i_x_1 % 3 - 1] : 0) : 0));
      }
      const uint8_t alive = x;
      const uint8_t x_1 = alive == 3 || (alive == 4 && grid[i_x * N + i_around] == 1) ? 1 : 0;
      output[i_x * N + i_around] = x_1;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 3; i_x++) {
    for (int64_t i_around = 0; i_around < min_i64(N, 1); i_around++) {
      uint8_t x;
      x = 0;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        x = (uint8_t)(x + (i_x_1 / 3 * 3 < i_around + i_x_1 && i_around + i_x_1 < i_x_1 / 3 * 3 + N + 1 ? grid[(i_x + i_x_1 / 3) * N + i_around + i_x_1 % 3 - 1] : 0));
      }
      const uint8_t alive = x;
      const uint8_t x_1 = alive == 3 || (alive == 4 && grid[(i_x + 1) * N + i_around] == 1) ? 1 : 0;
      output[(i_x + 1) * N + i_around] = x_1;
    }
    for (int64_t i_around = 0; i_around < N - 2; i_around++) {
      uint8_t x;
      x = 0;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        x = (uint8_t)(x + grid[(i_x + i_x_1 / 3) * N + i_around + i_x_1 % 3]);
      }
      const uint8_t alive = x;
      const uint8_t x_1 = alive == 3 || (alive == 4 && grid[(i_x + 1) * N + i_around + 1] == 1) ? 1 : 0;
      output[(i_x + 1) * N + i_around + 1] = x_1;
    }
    for (int64_t i_around = 0; i_around < min_i64(max_i64(0, N - 1), 1); i_around++) {
      uint8_t x;
      x = 0;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        x = (uint8_t)(x + (i_x_1 / 3 * 3 < i_around + i_x_1 + max_i64(N - 1, 1) && i_around + i_x_1 + max_i64(N - 1, 1) < i_x_1 / 3 * 3 + N + 1 ? grid[(i_x + i_x_1 / 3) * N + i_around + i_x_1 % 3 + max_i64(N - 1, 1) - 1] : 0));
      }
      const uint8_t alive = x;
      const uint8_t x_1 = alive == 3 || (alive == 4 && grid[(i_x + 1) * N + i_around + max_i64(N - 1, 1)] == 1) ? 1 : 0;
      output[(i_x + 1) * N + i_around + max_i64(N - 1, 1)] = x_1;
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 2); i_x++) {
    for (int64_t i_around = 0; i_around < N; i_around++) {
      uint8_t x;
      x = 0;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        x = (uint8_t)(x + (0 < i_x + i_x_1 / 3 + max_i64(M - 2, 1) && i_x + i_x_1 / 3 + max_i64(M - 2, 1) < M + 1 ? (i_x_1 / 3 * 3 < i_around + i_x_1 && i_around + i_x_1 < i_x_1 / 3 * 3 + N + 1 ? grid[(i_x + i_x_1 / 3 + max_i64(M - 2, 1) - 1) * N + i_around + i_x_1 % 3 - 1] : 0) : 0));
      }
      const uint8_t alive = x;
      const uint8_t x_1 = alive == 3 || (alive == 4 && grid[(i_x + max_i64(M - 2, 1)) * N + i_around] == 1) ? 1 : 0;
      output[(i_x + max_i64(M - 2, 1)) * N + i_around] = x_1;
    }
  }
  return 0;
}
