// gray_scott(feed: f32, kill: f32, grid: M.N.(f32, f32)) -> M.N.(f32, f32) for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int gray_scott(
    int64_t M,
    int64_t N,
    float feed,
    float kill,
    const float *restrict grid_1st,
    const float *restrict grid_2nd,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t at_m_n = m * N + n;
      const float u = grid_1st[at_m_n];
      const float v = grid_2nd[at_m_n];
      const float made = u * v * v;
      const int64_t at_m_n_min = min_i64(M - 1, m + 1) * N + n;
      const int64_t at_n = n + N * min_i64(0, M - 1);
      const float difference_from_grid_1st = grid_1st[at_n] + grid_1st[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1st[m * N + min_i64(N - 1, n + 1)] + grid_1st[at_m_n_min] - 4.0f * grid_1st[at_m_n];
      const float difference_from_grid_2nd = grid_2nd[at_n] + grid_2nd[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2nd[m * N + min_i64(N - 1, n + 1)] + grid_2nd[at_m_n_min] - 4.0f * grid_2nd[at_m_n];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd + made - (feed + kill) * v;
      output_1st[at_m_n] = u + 0.16f * difference_from_grid_1st - made + feed * (1.0f - u);
      output_2nd[at_m_n] = difference_from_v;
    }
  }
  #pragma omp parallel for schedule(static) if(1456 < M * N)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const int64_t at_m_n = (m + 1) * N + n;
      const float u = grid_1st[at_m_n];
      const float v = grid_2nd[at_m_n];
      const float made = u * v * v;
      const int64_t at_m_n_plus_N = (m + 2) * N + n;
      const int64_t at_m_n_min = (m + 1) * N + min_i64(N - 1, n + 1);
      const int64_t at_m = (m + 1) * N + min_i64(0, N - 1);
      const float difference_from_grid_1st = grid_1st[m * N + n] + grid_1st[at_m] + grid_1st[at_m_n_min] + grid_1st[at_m_n_plus_N] - 4.0f * grid_1st[at_m_n];
      const float difference_from_grid_2nd = grid_2nd[m * N + n] + grid_2nd[at_m] + grid_2nd[at_m_n_min] + grid_2nd[at_m_n_plus_N] - 4.0f * grid_2nd[at_m_n];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd + made - (feed + kill) * v;
      output_1st[at_m_n] = u + 0.16f * difference_from_grid_1st - made + feed * (1.0f - u);
      output_2nd[at_m_n] = difference_from_v;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const int64_t at_m_n = (m + 1) * N + n + 1;
      const float u = grid_1st[at_m_n];
      const float v = grid_2nd[at_m_n];
      const float made = u * v * v;
      const int64_t at_m_n_plus_N = (m + 2) * N + n + 1;
      const float difference_from_grid_1st = grid_1st[m * N + n + 1] + grid_1st[(m + 1) * N + n] + grid_1st[(m + 1) * N + n + 2] + grid_1st[at_m_n_plus_N] - 4.0f * grid_1st[at_m_n];
      const float difference_from_grid_2nd = grid_2nd[m * N + n + 1] + grid_2nd[(m + 1) * N + n] + grid_2nd[(m + 1) * N + n + 2] + grid_2nd[at_m_n_plus_N] - 4.0f * grid_2nd[at_m_n];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd + made - (feed + kill) * v;
      output_1st[at_m_n] = u + 0.16f * difference_from_grid_1st - made + feed * (1.0f - u);
      output_2nd[at_m_n] = difference_from_v;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const int64_t at_m_n = (m + 1) * N + n + max_i64(N - 1, 1);
      const float u = grid_1st[at_m_n];
      const float v = grid_2nd[at_m_n];
      const float made = u * v * v;
      const int64_t at_m = (m + 2) * N - 1;
      const int64_t at_m_n_max = m * N + n + max_i64(N - 1, 1);
      const int64_t at_m_n_plus_N = (m + 2) * N + n + max_i64(N - 1, 1);
      const int64_t at_m_n_min = (m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1);
      const float difference_from_grid_1st = grid_1st[at_m_n_max] + grid_1st[at_m_n_min] + grid_1st[at_m] + grid_1st[at_m_n_plus_N] - 4.0f * grid_1st[at_m_n];
      const float difference_from_grid_2nd = grid_2nd[at_m_n_max] + grid_2nd[at_m_n_min] + grid_2nd[at_m] + grid_2nd[at_m_n_plus_N] - 4.0f * grid_2nd[at_m_n];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd + made - (feed + kill) * v;
      output_1st[at_m_n] = u + 0.16f * difference_from_grid_1st - made + feed * (1.0f - u);
      output_2nd[at_m_n] = difference_from_v;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t at_m_n = (m + max_i64(M - 1, 1)) * N + n;
      const float u = grid_1st[at_m_n];
      const float v = grid_2nd[at_m_n];
      const float made = u * v * v;
      const int64_t at_n = n + (M - 1) * N;
      const int64_t at_m_n_min = min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n;
      const int64_t at_m_n_max_min = (m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1);
      const float difference_from_grid_1st = grid_1st[at_m_n_min] + grid_1st[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1st[at_m_n_max_min] + grid_1st[at_n] - 4.0f * grid_1st[at_m_n];
      const float difference_from_grid_2nd = grid_2nd[at_m_n_min] + grid_2nd[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2nd[at_m_n_max_min] + grid_2nd[at_n] - 4.0f * grid_2nd[at_m_n];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd + made - (feed + kill) * v;
      output_1st[at_m_n] = u + 0.16f * difference_from_grid_1st - made + feed * (1.0f - u);
      output_2nd[at_m_n] = difference_from_v;
    }
  }
  return 0;
}
