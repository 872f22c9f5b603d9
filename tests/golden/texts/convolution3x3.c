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
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      float acc_of_n;
      acc_of_n = 0.0f;
      for (int64_t weights_row = 0; weights_row < 3; weights_row++) {
        float acc_of_weights_row;
        acc_of_weights_row = 0.0f;
        #pragma GCC unroll 3
        for (int64_t weights_column = 0; weights_column < 3; weights_column++) {
          const float x_2nd = 0 < m + weights_row && m + weights_row < M + 1 ? (0 < n + weights_column && n + weights_column < N + 1 ? image[(m + weights_row - 1) * N + n + weights_column - 1] : 0.0f) : 0.0f;
          acc_of_weights_row = acc_of_weights_row + weights[weights_row * 3 + weights_column] * x_2nd;
        }
        acc_of_n = acc_of_n + acc_of_weights_row;
      }
      output[m * N + n] = acc_of_n;
    }
  }
  #pragma omp parallel for schedule(static) if(809 < M * N)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      float acc_of_n;
      acc_of_n = 0.0f;
      for (int64_t weights_row = 0; weights_row < 3; weights_row++) {
        float acc_of_weights_row;
        acc_of_weights_row = 0.0f;
        #pragma GCC unroll 3
        for (int64_t weights_column = 0; weights_column < 3; weights_column++) {
          const float x_2nd = 0 < n + weights_column && n + weights_column < N + 1 ? image[(m + weights_row) * N + n + weights_column - 1] : 0.0f;
          acc_of_weights_row = acc_of_weights_row + weights[weights_row * 3 + weights_column] * x_2nd;
        }
        acc_of_n = acc_of_n + acc_of_weights_row;
      }
      output[(m + 1) * N + n] = acc_of_n;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      float acc_of_n;
      acc_of_n = 0.0f;
      for (int64_t weights_row = 0; weights_row < 3; weights_row++) {
        float acc_of_weights_row;
        acc_of_weights_row = 0.0f;
        #pragma GCC unroll 3
        for (int64_t weights_column = 0; weights_column < 3; weights_column++) {
          acc_of_weights_row = acc_of_weights_row + weights[weights_row * 3 + weights_column] * image[(m + weights_row) * N + n + weights_column];
        }
        acc_of_n = acc_of_n + acc_of_weights_row;
      }
      output[(m + 1) * N + n + 1] = acc_of_n;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      float acc_of_n;
      acc_of_n = 0.0f;
      for (int64_t weights_row = 0; weights_row < 3; weights_row++) {
        float acc_of_weights_row;
        acc_of_weights_row = 0.0f;
        #pragma GCC unroll 3
        for (int64_t weights_column = 0; weights_column < 3; weights_column++) {
          const int64_t at_n_weights_column = n + weights_column + max_i64(N - 1, 1);
          const float x_2nd = 0 < at_n_weights_column && at_n_weights_column < N + 1 ? image[(m + weights_row) * N + n + weights_column + max_i64(N - 1, 1) - 1] : 0.0f;
          acc_of_weights_row = acc_of_weights_row + weights[weights_row * 3 + weights_column] * x_2nd;
        }
        acc_of_n = acc_of_n + acc_of_weights_row;
      }
      output[(m + 1) * N + n + max_i64(N - 1, 1)] = acc_of_n;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      float acc_of_n;
      acc_of_n = 0.0f;
      for (int64_t weights_row = 0; weights_row < 3; weights_row++) {
        float acc_of_weights_row;
        acc_of_weights_row = 0.0f;
        #pragma GCC unroll 3
        for (int64_t weights_column = 0; weights_column < 3; weights_column++) {
          const int64_t at_m_weights_row = m + weights_row + max_i64(M - 1, 1);
          const float x_2nd = 0 < at_m_weights_row && at_m_weights_row < M + 1 ? (0 < n + weights_column && n + weights_column < N + 1 ? image[(m + weights_row + max_i64(M - 1, 1) - 1) * N + n + weights_column - 1] : 0.0f) : 0.0f;
          acc_of_weights_row = acc_of_weights_row + weights[weights_row * 3 + weights_column] * x_2nd;
        }
        acc_of_n = acc_of_n + acc_of_weights_row;
      }
      output[(m + max_i64(M - 1, 1)) * N + n] = acc_of_n;
    }
  }
  return 0;
}
