// gray_scott(feed: f32, kill: f32, grid: M.N.(f32, f32)) -> M.N.(f32, f32) for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int gray_scott(
    int64_t M,
    int64_t N,
    float feed,
    float kill,
    const float *restrict grid_1,
    const float *restrict grid_2,
    float *restrict output_1,
    float *restrict output_2
) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float u = grid_1[m * N + n];
      const float v = grid_2[m * N + n];
      const float made = u * v * v;
      const float x = grid_1[n + N * min_i64(0, M - 1)] + grid_1[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1[m * N + min_i64(N - 1, n + 1)] + grid_1[min_i64(M - 1, m + 1) * N + n] - 4.0f * grid_1[m * N + n];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2[n + N * min_i64(0, M - 1)] + grid_2[m * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2[m * N + min_i64(N - 1, n + 1)] + grid_2[min_i64(M - 1, m + 1) * N + n] - 4.0f * grid_2[m * N + n];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      output_1[m * N + n] = x_1;
      output_2[m * N + n] = x_3;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const float u = grid_1[(m + 1) * N + n];
      const float v = grid_2[(m + 1) * N + n];
      const float made = u * v * v;
      const float x = grid_1[m * N + n] + grid_1[(m + 1) * N + min_i64(0, N - 1)] + grid_1[(m + 1) * N + min_i64(N - 1, n + 1)] + grid_1[(m + 2) * N + n] - 4.0f * grid_1[(m + 1) * N + n];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2[m * N + n] + grid_2[(m + 1) * N + min_i64(0, N - 1)] + grid_2[(m + 1) * N + min_i64(N - 1, n + 1)] + grid_2[(m + 2) * N + n] - 4.0f * grid_2[(m + 1) * N + n];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      output_1[(m + 1) * N + n] = x_1;
      output_2[(m + 1) * N + n] = x_3;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const float u = grid_1[(m + 1) * N + n + 1];
      const float v = grid_2[(m + 1) * N + n + 1];
      const float made = u * v * v;
      const float x = grid_1[m * N + n + 1] + grid_1[(m + 1) * N + n] + grid_1[(m + 1) * N + n + 2] + grid_1[(m + 2) * N + n + 1] - 4.0f * grid_1[(m + 1) * N + n + 1];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2[m * N + n + 1] + grid_2[(m + 1) * N + n] + grid_2[(m + 1) * N + n + 2] + grid_2[(m + 2) * N + n + 1] - 4.0f * grid_2[(m + 1) * N + n + 1];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      output_1[(m + 1) * N + n + 1] = x_1;
      output_2[(m + 1) * N + n + 1] = x_3;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const float u = grid_1[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float v = grid_2[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float made = u * v * v;
      const float x = grid_1[m * N + n + max_i64(N - 1, 1)] + grid_1[(m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)] + grid_1[(m + 2) * N - 1] + grid_1[(m + 2) * N + n + max_i64(N - 1, 1)] - 4.0f * grid_1[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2[m * N + n + max_i64(N - 1, 1)] + grid_2[(m + 1) * N + min_i64(N - 1, n + max_i64(N - 1, 1) - 1)] + grid_2[(m + 2) * N - 1] + grid_2[(m + 2) * N + n + max_i64(N - 1, 1)] - 4.0f * grid_2[(m + 1) * N + n + max_i64(N - 1, 1)];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      output_1[(m + 1) * N + n + max_i64(N - 1, 1)] = x_1;
      output_2[(m + 1) * N + n + max_i64(N - 1, 1)] = x_3;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float u = grid_1[(m + max_i64(M - 1, 1)) * N + n];
      const float v = grid_2[(m + max_i64(M - 1, 1)) * N + n];
      const float made = u * v * v;
      const float x = grid_1[min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n] + grid_1[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_1[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] + grid_1[n + (M - 1) * N] - 4.0f * grid_1[(m + max_i64(M - 1, 1)) * N + n];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2[min_i64(M - 1, m + max_i64(M - 1, 1) - 1) * N + n] + grid_2[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(n, 1) - 1)] + grid_2[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)] + grid_2[n + (M - 1) * N] - 4.0f * grid_2[(m + max_i64(M - 1, 1)) * N + n];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      output_1[(m + max_i64(M - 1, 1)) * N + n] = x_1;
      output_2[(m + max_i64(M - 1, 1)) * N + n] = x_3;
    }
  }
  return 0;
}
