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
  const float feed_1 = feed;
  const float kill_1 = kill;
  for (int64_t i_p = 0; i_p < min_i64(M, 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float u = grid_1[i_p * N + i_p_1];
      const float v = grid_2[i_p * N + i_p_1];
      const float made = u * v * v;
      const float x = grid_1[i_p_1 + N * min_i64(0, M - 1)] + grid_1[i_p * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + grid_1[i_p * N + min_i64(N - 1, i_p_1 + 1)] + grid_1[min_i64(M - 1, i_p + 1) * N + i_p_1] - 4.0f * grid_1[i_p * N + i_p_1];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = grid_2[i_p_1 + N * min_i64(0, M - 1)] + grid_2[i_p * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + grid_2[i_p * N + min_i64(N - 1, i_p_1 + 1)] + grid_2[min_i64(M - 1, i_p + 1) * N + i_p_1] - 4.0f * grid_2[i_p * N + i_p_1];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      output_1[i_p * N + i_p_1] = x_1;
      output_2[i_p * N + i_p_1] = x_3;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M - 2; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(N, 1); i_p_1++) {
      const float u = grid_1[(i_p + 1) * N + i_p_1];
      const float v = grid_2[(i_p + 1) * N + i_p_1];
      const float made = u * v * v;
      const float x = grid_1[i_p * N + i_p_1] + grid_1[(i_p + 1) * N + min_i64(0, N - 1)] + grid_1[(i_p + 1) * N + min_i64(N - 1, i_p_1 + 1)] + grid_1[(i_p + 2) * N + i_p_1] - 4.0f * grid_1[(i_p + 1) * N + i_p_1];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = grid_2[i_p * N + i_p_1] + grid_2[(i_p + 1) * N + min_i64(0, N - 1)] + grid_2[(i_p + 1) * N + min_i64(N - 1, i_p_1 + 1)] + grid_2[(i_p + 2) * N + i_p_1] - 4.0f * grid_2[(i_p + 1) * N + i_p_1];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      output_1[(i_p + 1) * N + i_p_1] = x_1;
      output_2[(i_p + 1) * N + i_p_1] = x_3;
    }
    for (int64_t i_p_1 = 0; i_p_1 < N - 2; i_p_1++) {
      const float u = grid_1[(i_p + 1) * N + i_p_1 + 1];
      const float v = grid_2[(i_p + 1) * N + i_p_1 + 1];
      const float made = u * v * v;
      const float x = grid_1[i_p * N + i_p_1 + 1] + grid_1[(i_p + 1) * N + i_p_1] + grid_1[(i_p + 1) * N + i_p_1 + 2] + grid_1[(i_p + 2) * N + i_p_1 + 1] - 4.0f * grid_1[(i_p + 1) * N + i_p_1 + 1];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = grid_2[i_p * N + i_p_1 + 1] + grid_2[(i_p + 1) * N + i_p_1] + grid_2[(i_p + 1) * N + i_p_1 + 2] + grid_2[(i_p + 2) * N + i_p_1 + 1] - 4.0f * grid_2[(i_p + 1) * N + i_p_1 + 1];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      output_1[(i_p + 1) * N + i_p_1 + 1] = x_1;
      output_2[(i_p + 1) * N + i_p_1 + 1] = x_3;
    }
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(max_i64(0, N - 1), 1); i_p_1++) {
      const float u = grid_1[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)];
      const float v = grid_2[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)];
      const float made = u * v * v;
      const float x = grid_1[i_p * N + i_p_1 + max_i64(N - 1, 1)] + grid_1[(i_p + 1) * N + min_i64(N - 1, i_p_1 + max_i64(N - 1, 1) - 1)] + grid_1[(i_p + 2) * N - 1] + grid_1[(i_p + 2) * N + i_p_1 + max_i64(N - 1, 1)] - 4.0f * grid_1[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = grid_2[i_p * N + i_p_1 + max_i64(N - 1, 1)] + grid_2[(i_p + 1) * N + min_i64(N - 1, i_p_1 + max_i64(N - 1, 1) - 1)] + grid_2[(i_p + 2) * N - 1] + grid_2[(i_p + 2) * N + i_p_1 + max_i64(N - 1, 1)] - 4.0f * grid_2[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      output_1[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] = x_1;
      output_2[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] = x_3;
    }
  }
  for (int64_t i_p = 0; i_p < min_i64(max_i64(0, M - 1), 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float u = grid_1[(i_p + max_i64(M - 1, 1)) * N + i_p_1];
      const float v = grid_2[(i_p + max_i64(M - 1, 1)) * N + i_p_1];
      const float made = u * v * v;
      const float x = grid_1[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + i_p_1] + grid_1[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + grid_1[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_p_1 + 1)] + grid_1[i_p_1 + (M - 1) * N] - 4.0f * grid_1[(i_p + max_i64(M - 1, 1)) * N + i_p_1];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = grid_2[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + i_p_1] + grid_2[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + grid_2[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_p_1 + 1)] + grid_2[i_p_1 + (M - 1) * N] - 4.0f * grid_2[(i_p + max_i64(M - 1, 1)) * N + i_p_1];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      output_1[(i_p + max_i64(M - 1, 1)) * N + i_p_1] = x_1;
      output_2[(i_p + max_i64(M - 1, 1)) * N + i_p_1] = x_3;
    }
  }
  return 0;
}
