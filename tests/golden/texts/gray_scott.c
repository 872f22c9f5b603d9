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
      const float u = grid_1st[m * N + n];
      const float v = grid_2nd[m * N + n];
      const float made = u * v * v;
      const float difference = grid_1st[n + N * min_i64(0, M - 1)] + grid_1st[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1st[m * N + min_i64(N - 1, n + 1)] + grid_1st[min_i64(M - 1, m + 1) * N + n] - 4.0f * grid_1st[m * N + n];
      const float difference_1 = grid_2nd[n + N * min_i64(0, M - 1)] + grid_2nd[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2nd[m * N + min_i64(N - 1, n + 1)] + grid_2nd[min_i64(M - 1, m + 1) * N + n] - 4.0f * grid_2nd[m * N + n];
      const float difference_2 = v + 0.08f * difference_1 + made - (feed + kill) * v;
      output_1st[m * N + n] = u + 0.16f * difference - made + feed * (1.0f - u);
      output_2nd[m * N + n] = difference_2;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const float u = grid_1st[(m + 1) * N + n];
      const float v = grid_2nd[(m + 1) * N + n];
      const float made = u * v * v;
      const float difference = grid_1st[m * N + n] + grid_1st[(m + 1) * N + min_i64(0, N - 1)] + grid_1st[(m + 1) * N + min_i64(N - 1, n + 1)] + grid_1st[(m + 2) * N + n] - 4.0f * grid_1st[(m + 1) * N + n];
      const float difference_1 = grid_2nd[m * N + n] + grid_2nd[(m + 1) * N + min_i64(0, N - 1)] + grid_2nd[(m + 1) * N + min_i64(N - 1, n + 1)] + grid_2nd[(m + 2) * N + n] - 4.0f * grid_2nd[(m + 1) * N + n];
      const float difference_2 = v + 0.08f * difference_1 + made - (feed + kill) * v;
      output_1st[(m + 1) * N + n] = u + 0.16f * difference - made + feed * (1.0f - u);
      output_2nd[(m + 1) * N + n] = difference_2;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const float u = grid_1st[(m + 1) * N + n + 1];
      const float v = grid_2nd[(m + 1) * N + n + 1];
      const float made = u * v * v;
      const float difference = grid_1st[m * N + n + 1] + grid_1st[(m + 1) * N + n] + grid_1st[(m + 1) * N + n + 2] + grid_1st[(m + 2) * N + n + 1] - 4.0f * grid_1st[(m + 1) * N + n + 1];
      const float difference_1 = grid_2nd[m * N + n + 1] + grid_2nd[(m + 1) * N + n] + grid_2nd[(m + 1) * N + n + 2] + grid_2nd[(m + 2) * N + n + 1] - 4.0f * grid_2nd[(m + 1) * N + n + 1];
      const float difference_2 = v + 0.08f * difference_1 + made - (feed + kill) * v;
      output_1st[(m + 1) * N + n + 1] = u + 0.16f * difference - made + feed * (1.0f - u);
      output_2nd[(m + 1) * N + n + 1] = difference_2;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const float u = grid_1st[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float v = grid_2nd[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float made = u * v * v;
      const float difference = grid_1st[m * N + n + max_i64(N - 1, 1)] + grid_1st[(m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)] + grid_1st[(m + 2) * N - 1] + grid_1st[(m + 2) * N + n + max_i64(N - 1, 1)] - 4.0f * grid_1st[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float difference_1 = grid_2nd[m * N + n + max_i64(N - 1, 1)] + grid_2nd[(m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)] + grid_2nd[(m + 2) * N - 1] + grid_2nd[(m + 2) * N + n + max_i64(N - 1, 1)] - 4.0f * grid_2nd[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float difference_2 = v + 0.08f * difference_1 + made - (feed + kill) * v;
      output_1st[(m + 1) * N + n + max_i64(N - 1, 1)] = u + 0.16f * difference - made + feed * (1.0f - u);
      output_2nd[(m + 1) * N + n + max_i64(N - 1, 1)] = difference_2;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float u = grid_1st[(m + max_i64(M - 1, 1)) * N + n];
      const float v = grid_2nd[(m + max_i64(M - 1, 1)) * N + n];
      const float made = u * v * v;
      const float difference = grid_1st[min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n] + grid_1st[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1st[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] + grid_1st[n + (M - 1) * N] - 4.0f * grid_1st[(m + max_i64(M - 1, 1)) * N + n];
      const float difference_1 = grid_2nd[min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n] + grid_2nd[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2nd[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] + grid_2nd[n + (M - 1) * N] - 4.0f * grid_2nd[(m + max_i64(M - 1, 1)) * N + n];
      const float difference_2 = v + 0.08f * difference_1 + made - (feed + kill) * v;
      output_1st[(m + max_i64(M - 1, 1)) * N + n] = u + 0.16f * difference - made + feed * (1.0f - u);
      output_2nd[(m + max_i64(M - 1, 1)) * N + n] = difference_2;
    }
  }
  return 0;
}
