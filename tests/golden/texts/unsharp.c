// unsharp(amount: f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int unsharp(int64_t M, int64_t N, float amount, const float *restrict image, float *restrict output) {
  const float amount_1 = amount;
  for (int64_t i_p = 0; i_p < min_i64(M, 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float x = 0.25f * (0.25f * image[min_i64(N - 1, max_i64(i_p_1, 1) - 1) + N * min_i64(0, M - 1)] + 0.5f * image[i_p_1 + N * min_i64(0, M - 1)] + 0.25f * image[min_i64(N - 1, i_p_1 + 1) + N * min_i64(0, M - 1)]);
      const float x_1 = 0.5f * (0.25f * image[i_p * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + 0.5f * image[i_p * N + i_p_1] + 0.25f * image[i_p * N + min_i64(N - 1, i_p_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[min_i64(M - 1, i_p + 1) * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + 0.5f * image[min_i64(M - 1, i_p + 1) * N + i_p_1] + 0.25f * image[min_i64(M - 1, i_p + 1) * N + min_i64(N - 1, i_p_1 + 1)]);
      const float p_2 = x + x_1 + x_2;
      output[i_p * N + i_p_1] = image[i_p * N + i_p_1] + amount_1 * (image[i_p * N + i_p_1] - p_2);
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M - 2; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(N, 1); i_p_1++) {
      const float x = 0.25f * (0.25f * image[i_p * N + min_i64(0, N - 1)] + 0.5f * image[i_p * N + i_p_1] + 0.25f * image[i_p * N + min_i64(N - 1, i_p_1 + 1)]);
      const float x_1 = 0.5f * (0.25f * image[(i_p + 1) * N + min_i64(0, N - 1)] + 0.5f * image[(i_p + 1) * N + i_p_1] + 0.25f * image[(i_p + 1) * N + min_i64(N - 1, i_p_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[(i_p + 2) * N + min_i64(0, N - 1)] + 0.5f * image[(i_p + 2) * N + i_p_1] + 0.25f * image[(i_p + 2) * N + min_i64(N - 1, i_p_1 + 1)]);
      const float p_2 = x + x_1 + x_2;
      output[(i_p + 1) * N + i_p_1] = image[(i_p + 1) * N + i_p_1] + amount_1 * (image[(i_p + 1) * N + i_p_1] - p_2);
    }
    for (int64_t i_p_1 = 0; i_p_1 < N - 2; i_p_1++) {
      const float x = 0.25f * (0.25f * image[i_p * N + i_p_1] + 0.5f * image[i_p * N + i_p_1 + 1] + 0.25f * image[i_p * N + i_p_1 + 2]);
      const float x_1 = 0.5f * (0.25f * image[(i_p + 1) * N + i_p_1] + 0.5f * image[(i_p + 1) * N + i_p_1 + 1] + 0.25f * image[(i_p + 1) * N + i_p_1 + 2]);
      const float x_2 = 0.25f * (0.25f * image[(i_p + 2) * N + i_p_1] + 0.5f * image[(i_p + 2) * N + i_p_1 + 1] + 0.25f * image[(i_p + 2) * N + i_p_1 + 2]);
      const float p_2 = x + x_1 + x_2;
      output[(i_p + 1) * N + i_p_1 + 1] = image[(i_p + 1) * N + i_p_1 + 1] + amount_1 * (image[(i_p + 1) * N + i_p_1 + 1] - p_2);
    }
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(max_i64(0, N - 1), 1); i_p_1++) {
      const float x = 0.25f * (0.25f * image[i_p * N + min_i64(N - 1, i_p_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[i_p * N + i_p_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_p + 1) * N - 1]);
      const float x_1 = 0.5f * (0.25f * image[(i_p + 1) * N + min_i64(N - 1, i_p_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_p + 2) * N - 1]);
      const float x_2 = 0.25f * (0.25f * image[(i_p + 2) * N + min_i64(N - 1, i_p_1 + max_i64(N - 1, 1) - 1)] + 0.5f * image[(i_p + 2) * N + i_p_1 + max_i64(N - 1, 1)] + 0.25f * image[(i_p + 3) * N - 1]);
      const float p_2 = x + x_1 + x_2;
      output[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] = image[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] + amount_1 * (image[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] - p_2);
    }
  }
  for (int64_t i_p = 0; i_p < min_i64(max_i64(0, M - 1), 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float x = 0.25f * (0.25f * image[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + 0.5f * image[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + i_p_1] + 0.25f * image[min_i64(M - 1, i_p + max_i64(M - 1, 1) - 1) * N + min_i64(N - 1, i_p_1 + 1)]);
      const float x_1 = 0.5f * (0.25f * image[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, max_i64(i_p_1, 1) - 1)] + 0.5f * image[(i_p + max_i64(M - 1, 1)) * N + i_p_1] + 0.25f * image[(i_p + max_i64(M - 1, 1)) * N + min_i64(N - 1, i_p_1 + 1)]);
      const float x_2 = 0.25f * (0.25f * image[min_i64(N - 1, max_i64(i_p_1, 1) - 1) + (M - 1) * N] + 0.5f * image[i_p_1 + (M - 1) * N] + 0.25f * image[min_i64(N - 1, i_p_1 + 1) + (M - 1) * N]);
      const float p_2 = x + x_1 + x_2;
      output[(i_p + max_i64(M - 1, 1)) * N + i_p_1] = image[(i_p + max_i64(M - 1, 1)) * N + i_p_1] + amount_1 * (image[(i_p + max_i64(M - 1, 1)) * N + i_p_1] - p_2);
    }
  }
  return 0;
}
