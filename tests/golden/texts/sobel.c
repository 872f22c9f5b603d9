// sobel(image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int sobel(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  _Alignas(64) static const float constants[9] = {-1.0f, 0.0f, 1.0f, -2.0f, 0.0f, 2.0f, -1.0f, 0.0f, 1.0f};
  _Alignas(64) static const float constants_1[9] = {-1.0f, -2.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 1.0f};
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc = acc + constants[i] * image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc_1 = acc_1 + constants_1[i] * image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      output[m * N + n] = sqrtf(acc * acc + acc_1 * acc_1);
    }
  }
  #pragma omp parallel for schedule(static) if(520 < M * N)
  for (int64_t m = 0; m < M - 3; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc = acc + constants[i] * image[(m + i / 3) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc_1 = acc_1 + constants_1[i] * image[(m + i / 3) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      output[(m + 1) * N + n] = sqrtf(acc * acc + acc_1 * acc_1);
    }
    for (int64_t n = 0; n < N - 2; n++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc = acc + constants[i] * image[(m + i / 3) * N + n + i % 3];
      }
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc_1 = acc_1 + constants_1[i] * image[(m + i / 3) * N + n + i % 3];
      }
      output[(m + 1) * N + n + 1] = sqrtf(acc * acc + acc_1 * acc_1);
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc = acc + constants[i] * image[(m + i / 3) * N + min_i64(N - 1, n + i % 3 + max_i64(N - 1, 1) - 1)];
      }
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc_1 = acc_1 + constants_1[i] * image[(m + i / 3) * N + min_i64(N - 1, n + i % 3 + max_i64(N - 1, 1) - 1)];
      }
      output[(m + 1) * N + n + max_i64(N - 1, 1)] = sqrtf(acc * acc + acc_1 * acc_1);
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 2); m++) {
    for (int64_t n = 0; n < N; n++) {
      float acc;
      acc = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc = acc + constants[i] * image[min_i64(M - 1, m + i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      float acc_1;
      acc_1 = 0.0f;
      #pragma GCC unroll 9
      for (int64_t i = 0; i < 9; i++) {
        acc_1 = acc_1 + constants_1[i] * image[min_i64(M - 1, m + i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)];
      }
      output[(m + max_i64(M - 2, 1)) * N + n] = sqrtf(acc * acc + acc_1 * acc_1);
    }
  }
  return 0;
}
