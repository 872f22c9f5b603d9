// heat3d(speed: f32, grid: L.M.N.f32) -> L.M.N.f32 for all L, M, N where N >= 1, M >= 1, L >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int heat3d(int64_t L, int64_t M, int64_t N, float speed, const float *restrict grid, float *restrict output) {
  for (int64_t l = 0; l < min_i64(L, 1); l++) {
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        const float sum = grid[(m + M * min_i64(0, L - 1)) * N + n] + grid[(min_i64(L - 1, l + 1) * M + m) * N + n] + grid[(l * M + min_i64(M - 1, max_i64(m, 1) - 1)) * N + n] + grid[(l * M + min_i64(M - 1, m + 1)) * N + n] + grid[(l * M + m) * N + min_i64(N - 1, max_i64(n, 1) - 1)];
        const int64_t at_l_m_n = (l * M + m) * N + n;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[(l * M + m) * N + min_i64(N - 1, n + 1)] - 6.0f * grid[at_l_m_n]);
      }
    }
  }
  #pragma omp parallel for schedule(static) if(3276 < L * M * N)
  for (int64_t l = 0; l < L - 2; l++) {
    for (int64_t m = 0; m < min_i64(M, 1); m++) {
      for (int64_t n = 0; n < N; n++) {
        const float sum = grid[(l * M + m) * N + n] + grid[((l + 2) * M + m) * N + n] + grid[((l + 1) * M + min_i64(0, M - 1)) * N + n] + grid[((l + 1) * M + min_i64(M - 1, m + 1)) * N + n] + grid[((l + 1) * M + m) * N + min_i64(N - 1, max_i64(n, 1) - 1)];
        const int64_t at_l_m_n = ((l + 1) * M + m) * N + n;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + 1) * M + m) * N + min_i64(N - 1, n + 1)] - 6.0f * grid[at_l_m_n]);
      }
    }
    for (int64_t m = 0; m < M - 2; m++) {
      for (int64_t n = 0; n < min_i64(N, 1); n++) {
        const float sum = grid[(l * M + m + 1) * N + n] + grid[((l + 2) * M + m + 1) * N + n] + grid[((l + 1) * M + m) * N + n] + grid[((l + 1) * M + m + 2) * N + n] + grid[((l + 1) * M + m + 1) * N + min_i64(0, N - 1)];
        const int64_t at_l_m_n = ((l + 1) * M + m + 1) * N + n;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + 1) * M + m + 1) * N + min_i64(N - 1, n + 1)] - 6.0f * grid[at_l_m_n]);
      }
      for (int64_t n = 0; n < N - 2; n++) {
        const float sum = grid[(l * M + m + 1) * N + n + 1] + grid[((l + 2) * M + m + 1) * N + n + 1] + grid[((l + 1) * M + m) * N + n + 1] + grid[((l + 1) * M + m + 2) * N + n + 1] + grid[((l + 1) * M + m + 1) * N + n];
        const int64_t at_l_m_n = ((l + 1) * M + m + 1) * N + n + 1;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + 1) * M + m + 1) * N + n + 2] - 6.0f * grid[at_l_m_n]);
      }
      for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
        const float sum = grid[(l * M + m + 1) * N + n + max_i64(N - 1, 1)] + grid[((l + 2) * M + m + 1) * N + n + max_i64(N - 1, 1)] + grid[((l + 1) * M + m) * N + n + max_i64(N - 1, 1)] + grid[((l + 1) * M + m + 2) * N + n + max_i64(N - 1, 1)] + grid[((l + 1) * M + m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)];
        const int64_t at_l_m_n = ((l + 1) * M + m + 1) * N + n + max_i64(N - 1, 1);
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + 1) * M + m + 2) * N - 1] - 6.0f * grid[at_l_m_n]);
      }
    }
    for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
      for (int64_t n = 0; n < N; n++) {
        const float sum = grid[(l * M + m + max_i64(M - 1, 1)) * N + n] + grid[((l + 2) * M + m + max_i64(M - 1, 1)) * N + n] + grid[((l + 1) * M + min_i64(M - 1, m + max_i64(M - 1, 1) - 1)) * N + n] + grid[((l + 2) * M - 1) * N + n] + grid[((l + 1) * M + m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)];
        const int64_t at_l_m_n = ((l + 1) * M + m + max_i64(M - 1, 1)) * N + n;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + 1) * M + m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] - 6.0f * grid[at_l_m_n]);
      }
    }
  }
  for (int64_t l = 0; l < min_i64(max_i64(0, L - 1), 1); l++) {
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        const float sum = grid[(min_i64(L - 1, l + max_i64(L - 1, 1) - 1) * M + m) * N + n] + grid[(m + (L - 1) * M) * N + n] + grid[((l + max_i64(L - 1, 1)) * M + min_i64(M - 1, max_i64(m, 1) - 1)) * N + n] + grid[((l + max_i64(L - 1, 1)) * M + min_i64(M - 1, m + 1)) * N + n] + grid[((l + max_i64(L - 1, 1)) * M + m) * N + min_i64(N - 1, max_i64(n, 1) - 1)];
        const int64_t at_l_m_n = ((l + max_i64(L - 1, 1)) * M + m) * N + n;
        output[at_l_m_n] = grid[at_l_m_n] + speed * (sum + grid[((l + max_i64(L - 1, 1)) * M + m) * N + min_i64(N - 1, n + 1)] - 6.0f * grid[at_l_m_n]);
      }
    }
  }
  return 0;
}
