// convolution3x3(weights: 3.3.f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int convolution3x3(
    int64_t M,
    int64_t N,
    const float *restrict weights,
    const float *restrict image,
    float *restrict output
) {
  for (int64_t i_x = 0; i_x < min_i64(M, 1); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 3
        for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
          const float x_2 = 0 < i_x + i_x_1 && i_x + i_x_1 < M + 1 ? (0 < i_window + i_x_2 && i_window + i_x_2 < N + 1 ? image[(i_x + i_x_1 - 1) * N + i_window + i_x_2 - 1] : 0.0f) : 0.0f;
          acc_1 = acc_1 + weights[i_x_1 * 3 + i_x_2] * x_2;
        }
        acc = acc + acc_1;
      }
      output[i_x * N + i_window] = acc;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M - 2; i_x++) {
    for (int64_t i_window = 0; i_window < min_i64(N, 1); i_window++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 3
        for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
          const float x_2 = 0 < i_window + i_x_2 && i_window + i_x_2 < N + 1 ? image[(i_x + i_x_1) * N + i_window + i_x_2 - 1] : 0.0f;
          acc_1 = acc_1 + weights[i_x_1 * 3 + i_x_2] * x_2;
        }
        acc = acc + acc_1;
      }
      output[(i_x + 1) * N + i_window] = acc;
    }
    for (int64_t i_window = 0; i_window < N - 2; i_window++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 3
        for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
          const float x_2 = image[(i_x + i_x_1) * N + i_window + i_x_2];
          acc_1 = acc_1 + weights[i_x_1 * 3 + i_x_2] * x_2;
        }
        acc = acc + acc_1;
      }
      output[(i_x + 1) * N + i_window + 1] = acc;
    }
    for (int64_t i_window = 0; i_window < min_i64(max_i64(0, N - 1), 1); i_window++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 3
        for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
          const float x_2 = 0 < i_window + i_x_2 + max_i64(N - 1, 1) && i_window + i_x_2 + max_i64(N - 1, 1) < N + 1 ? image[(i_x + i_x_1) * N + i_window + i_x_2 + max_i64(N - 1, 1) - 1] : 0.0f;
          acc_1 = acc_1 + weights[i_x_1 * 3 + i_x_2] * x_2;
        }
        acc = acc + acc_1;
      }
      output[(i_x + 1) * N + i_window + max_i64(N - 1, 1)] = acc;
    }
  }
  for (int64_t i_x = 0; i_x < min_i64(max_i64(0, M - 1), 1); i_x++) {
    for (int64_t i_window = 0; i_window < N; i_window++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 3
        for (int64_t i_x_2 = 0; i_x_2 < 3; i_x_2++) {
          const float x_2 = 0 < i_x + i_x_1 + max_i64(M - 1, 1) && i_x + i_x_1 + max_i64(M - 1, 1) < M + 1 ? (0 < i_window + i_x_2 && i_window + i_x_2 < N + 1 ? image[(i_x + i_x_1 + max_i64(M - 1, 1) - 1) * N + i_window + i_x_2 - 1] : 0.0f) : 0.0f;
          acc_1 = acc_1 + weights[i_x_1 * 3 + i_x_2] * x_2;
        }
        acc = acc + acc_1;
      }
      output[(i_x + max_i64(M - 1, 1)) * N + i_window] = acc;
    }
  }
  return 0;
}
