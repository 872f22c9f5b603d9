// sobel(image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int sobel(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_w = 0; i_w < N; i_w++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * image[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_w + i_x_1 % 3, 1) - 1)];
      }
      const float x = acc;
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * image[min_i64(M - 1, max_i64(i_x + i_x_2 / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_w + i_x_2 % 3, 1) - 1)];
      }
      const float y = acc_1;
      output[i_x * N + i_w] = sqrtf(x * x + y * y);
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 3; i_x++) {
    for (int64_t i_w = 0; i_w < min_i64(N, 1); i_w++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * image[(i_x + i_x_1 / 3) * N + min_i64(N - 1, max_i64(i_w + i_x_1 % 3, 1) - 1)];
      }
      const float x = acc;
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * image[(i_x + i_x_2 / 3) * N + min_i64(N - 1, max_i64(i_w + i_x_2 % 3, 1) - 1)];
      }
      const float y = acc_1;
      output[(i_x + 1) * N + i_w] = sqrtf(x * x + y * y);
    }
    for (int64_t i_w = 0; i_w < N - 2; i_w++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * image[(i_x + i_x_1 / 3) * N + i_w + i_x_1 % 3];
      }
      const float x = acc;
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * image[(i_x + i_x_2 / 3) * N + i_w + i_x_2 % 3];
      }
      const float y = acc_1;
      output[(i_x + 1) * N + i_w + 1] = sqrtf(x * x + y * y);
    }
    for (int64_t i_w = 0; i_w < min_i64(max_i64(0, N - 1), 1); i_w++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * image[(i_x + i_x_1 / 3) * N + min_i64(N - 1, i_w + i_x_1 % 3 + max_i64(N - 1, 1) - 1)];
      }
      const float x = acc;
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * image[(i_x + i_x_2 / 3) * N + min_i64(N - 1, i_w + i_x_2 % 3 + max_i64(N - 1, 1) - 1)];
      }
      const float y = acc_1;
      output[(i_x + 1) * N + i_w + max_i64(N - 1, 1)] = sqrtf(x * x + y * y);
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 2); i_x++) {
    for (int64_t i_w = 0; i_w < N; i_w++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
        const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
        acc = acc + x_1 * image[min_i64(M - 1, i_x + i_x_1 / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(i_w + i_x_1 % 3, 1) - 1)];
      }
      const float x = acc;
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
        const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x_1_1 * image[min_i64(M - 1, i_x + i_x_2 / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(i_w + i_x_2 % 3, 1) - 1)];
      }
      const float y = acc_1;
      output[(i_x + max_i64(M - 2, 1)) * N + i_w] = sqrtf(x * x + y * y);
    }
  }
  return 0;
}
