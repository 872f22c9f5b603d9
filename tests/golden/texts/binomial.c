// binomial(image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int binomial(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      const float x = 0.25f * (0.25f * image[min_i64(N - 1, max_i64(i_x_1, 1) - 1) + N * min_i64(0, M - 1)] + 0.5f * image[i_x_1 + N * min_i64(0, M - 1)] + 0.25f * image[min_i64(N - 1, i_x_1 + 1) + N * min_i64(0, M - 1)]);
      const float x_1 = 0.5f * (0.25f * image[i_x * N + min_i64(N - 1, max_i64(i_x_1, 1) - 1)] + 0.5f * image[i_x * N + i_x_1] + 0.25f * image[i_x * N + min_i64(N - 1, i_x_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[min_i64(M - 1, i_x + 1) * N + min_i64(N - 1, max_i64(i_x_1, 1) - 1)] + 0.5f * image[min_i64(M - 1, i_x + 1) * N + i_x_1] + 0.25f * image[min_i64(M - 1, i_x + 1) * N + min_i64(N - 1, i_x_1 + 1)]);
      output[i_x * N + i_x_1] = x + x_1 + x_2;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 2; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < min_i64(N, 1); i_x_1++) {
      const float x = 0.25f * (0.25f * image[i_x * N + min_i64(0, N - 1)] + 0.5f * image[i_x * N + i_x_1] + 0.25f * image[i_x * N + min_i64(N - 1, i_x_1 + 1)]);
      const float x_1 = 0.5f * (0.25f * image[(i_x + 1) * N + min_i64(0, N - 1)] + 0.5f * image[(i_x + 1) * N + i_x_1] + 0.25f * image[(i_x + 1) * N + min_i64(N - 1, i_x_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[(i_x + 2) * N + min_i64(0, N - 1)] + 0.5f * image[(i_x + 2) * N + i_x_1] + 0.25f * image[(i_x + 2) * N + min_i64(N - 1, i_x_1 + 1)]);
      output[(i_x + 1) * N + i_x_1] = x + x_1 + x_2;
    }
    for (int64_t i_x_1 = 0; i_x_1 < N - 2; i_x_1++) {
      const float x = 0.25f * (0.25f * image[i_x * N + i_x_1] + 0.5f * image[i_x * N + i_x_1 + 1] + 0.25f * image[i_x * N + i_x_1 + 2]);
      const float x_1 = 0.5f * (0.25f * image[(i_x + 1) * N + i_x_1] + 0.5f * image[(i_x + 1) * N + i_x_1 + 1] + 0.25f * image[(i_x + 1) * N + i_x_1 + 2]);
      const float x_2 = 0.25f * (0.25f * image[(i_x + 2) * N + i_x_1] + 0.5f * image[(i_x + 2) * N + i_x_1 + 1] + 0.25f * image[(i_x + 2) * N + i_x_1 + 2]);
      output[(i_x + 1) * N + i_x_1 + 1] = x + x_1 + x_2;
    }
    for (int64_t i_x_1 = 0; i_x_1 < min_i64(max_i64(0, N - 1), 1); i_x_1++) {
      const float x = 0.25f * (0.25f * image[i_x * N + min_i64(N - 1, i_x_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[i_x * N + i_x_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_x + 1) * N - 1]);
      const float x_1 = 0.5f * (0.25f * image[(i_x + 1) * N + min_i64(N - 1, i_x_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[(i_x + 1) * N + i_x_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_x + 2) * N - 1]);
      const float x_2 = 0.25f * (0.25f * image[(i_x + 2) * N + min_i64(N - 1, i_x_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[(i_x + 2) * N + i_x_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_x + 3) * N - 1]);
      output[(i_x + 1) * N + i_x_1 + max_i64(N - 1, 1)] = x + x_1 + x_2;
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 1); i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      const float x = 0.25f * (0.25f * image[min_i64(M - 1, i_x + max_i64(M - 1, 1) - 1) * N + min_i64(N - 1, max_i64(i_x_1, 1) - 1)] + 0.5f * image[min_i64(M - 1, i_x + max_i64(M - 1, 1) - 1) * N + i_x_1] + 0.25f * image[min_i64(M - 1, i_x + max_i64(M - 1, 1) - 1) * N + min_i64(N - 1, i_x_1 + 1)]);
      const float x_1 = 0.5f * (0.25f * image[(i_x + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_x_1, 1) - 1)] + 0.5f * image[(i_x + max_i64(M - 1, 1)) * N + i_x_1] + 0.25f * image[(i_x + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_x_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[min_i64(N - 1, max_i64(i_x_1, 1) - 1) + (M - 1) * N] + 0.5f * image[i_x_1 + (M - 1) * N] + 0.25f * image[min_i64(N - 1, i_x_1 + 1) + (M - 1) * N]);
      output[(i_x + max_i64(M - 1, 1)) * N + i_x_1] = x + x_1 + x_2;
    }
  }
  return 0;
}
