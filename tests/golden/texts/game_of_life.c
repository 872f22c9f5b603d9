// game_of_life(grid: M.N.u8) -> M.N.u8 for all M, N where N >= 1, M >= 1
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int game_of_life(int64_t M, int64_t N, const uint8_t *restrict grid, uint8_t *restrict output) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      uint8_t alive;
      alive = 0;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        alive = (uint8_t)(alive + (0 < m + i / 3 && m + i / 3 < M + 1 ? (i / 3 * 3 < n + i && n + i < i / 3 * 3 + N + 1 ? grid[(m + i / 3 - 1) * N + n + i % 3 - 1] : 0) : 0));
      }
      output[m * N + n] = (alive == 3) | ((alive == 4) & (grid[m * N + n] == 1)) ? 1 : 0;
    }
  }
  #pragma omp parallel for schedule(static) if(1365 < M * N)
  for (int64_t m = 0; m < M - 3; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      uint8_t alive;
      alive = 0;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        alive = (uint8_t)(alive + (i / 3 * 3 < n + i && n + i < i / 3 * 3 + N + 1 ? grid[(m + i / 3) * N + n + i % 3 - 1] : 0));
      }
      const int64_t at_m_n = (m + 1) * N + n;
      output[at_m_n] = (alive == 3) | ((alive == 4) & (grid[at_m_n] == 1)) ? 1 : 0;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      uint8_t alive;
      alive = 0;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        alive = (uint8_t)(alive + grid[(m + i / 3) * N + n + i % 3]);
      }
      const int64_t at_m_n = (m + 1) * N + n + 1;
      output[at_m_n] = (alive == 3) | ((alive == 4) & (grid[at_m_n] == 1)) ? 1 : 0;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      uint8_t alive;
      alive = 0;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        const int64_t at_n_i = n + i + max_i64(N - 1, 1);
        alive = (uint8_t)(alive + (i / 3 * 3 < at_n_i && at_n_i < i / 3 * 3 + N + 1 ? grid[(m + i / 3) * N + n + i % 3 + max_i64(N - 1, 1) - 1] : 0));
      }
      const int64_t at_m_n = (m + 1) * N + n + max_i64(N - 1, 1);
      output[at_m_n] = (alive == 3) | ((alive == 4) & (grid[at_m_n] == 1)) ? 1 : 0;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 2); m++) {
    for (int64_t n = 0; n < N; n++) {
      uint8_t alive;
      alive = 0;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        const int64_t at_m_i = m + i / 3 + max_i64(M - 2, 1);
        alive = (uint8_t)(alive + (0 < at_m_i && at_m_i < M + 1 ? (i / 3 * 3 < n + i && n + i < i / 3 * 3 + N + 1 ? grid[(m + i / 3 + max_i64(M - 2, 1) - 1) * N + n + i % 3 - 1] : 0) : 0));
      }
      const int64_t at_m_n = (m + max_i64(M - 2, 1)) * N + n;
      output[at_m_n] = (alive == 3) | ((alive == 4) & (grid[at_m_n] == 1)) ? 1 : 0;
    }
  }
  return 0;
}
