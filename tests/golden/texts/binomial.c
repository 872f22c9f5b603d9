// binomial(image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int binomial(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t n_min = min_i64(N - 1, max_i64(n, 1) - 1);
      const float product = 0.25f * (0.25f * image[n_min + N * min_i64(0, M - 1)] + 0.5f * image[n + N * min_i64(0, M - 1)] + 0.25f * image[min_i64(N - 1, n + 1) + N * min_i64(0, M - 1)]);
      const float product_1 = 0.5f * (0.25f * image[m * N + n_min] + 0.5f * image[m * N + n] + 0.25f * image[m * N + min_i64(N - 1, n + 1)]);
      const float product_2 = 0.25f * (0.25f * image[min_i64(M - 1, m + 1) * N + n_min] + 0.5f * image[min_i64(M - 1, m + 1) * N + n] + 0.25f * image[min_i64(M - 1, m + 1) * N + min_i64(N - 1, n + 1)]);
      output[m * N + n] = product + product_1 + product_2;
    }
  }
  #pragma omp parallel for schedule(static) if(1985 < M * N)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const float product = 0.25f * (0.25f * image[m * N + min_i64(0, N - 1)] + 0.5f * image[m * N + n] + 0.25f * image[m * N + min_i64(N - 1, n + 1)]);
      const int64_t at_m_n = (m + 1) * N + n;
      const float product_1 = 0.5f * (0.25f * image[(m + 1) * N + min_i64(0, N - 1)] + 0.5f * image[at_m_n] + 0.25f * image[(m + 1) * N + min_i64(N - 1, n + 1)]);
      const float product_2 = 0.25f * (0.25f * image[(m + 2) * N + min_i64(0, N - 1)] + 0.5f * image[(m + 2) * N + n] + 0.25f * image[(m + 2) * N + min_i64(N - 1, n + 1)]);
      output[at_m_n] = product + product_1 + product_2;
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const float product = 0.25f * (0.25f * image[m * N + n] + 0.5f * image[m * N + n + 1] + 0.25f * image[m * N + n + 2]);
      const int64_t at_m_n = (m + 1) * N + n + 1;
      const float product_1 = 0.5f * (0.25f * image[(m + 1) * N + n] + 0.5f * image[at_m_n] + 0.25f * image[(m + 1) * N + n + 2]);
      const float product_2 = 0.25f * (0.25f * image[(m + 2) * N + n] + 0.5f * image[(m + 2) * N + n + 1] + 0.25f * image[(m + 2) * N + n + 2]);
      output[at_m_n] = product + product_1 + product_2;
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const int64_t n_min = min_i64(N - 1, n + max_i64(N - 1, 1) - 1);
      const float product = 0.25f * (0.25f * image[m * N + n_min] + 0.5f * image[m * N + n + max_i64(N - 1, 1)] + 0.25f * image[(m + 1) * N - 1]);
      const int64_t at_m_n = (m + 1) * N + n + max_i64(N - 1, 1);
      const float product_1 = 0.5f * (0.25f * image[(m + 1) * N + n_min] + 0.5f * image[at_m_n] + 0.25f * image[(m + 2) * N - 1]);
      const float product_2 = 0.25f * (0.25f * image[(m + 2) * N + n_min] + 0.5f * image[(m + 2) * N + n + max_i64(N - 1, 1)] + 0.25f * image[(m + 3) * N - 1]);
      output[at_m_n] = product + product_1 + product_2;
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const int64_t n_min = min_i64(N - 1, max_i64(n, 1) - 1);
      const int64_t m_min = min_i64(M - 1, m + max_i64(M - 1, 1) - 1);
      const float product = 0.25f * (0.25f * image[m_min * N + n_min] + 0.5f * image[m_min * N + n] + 0.25f * image[m_min * N + min_i64(N - 1, n + 1)]);
      const int64_t at_m_n = (m + max_i64(M - 1, 1)) * N + n;
      const float product_1 = 0.5f * (0.25f * image[(m + max_i64(M - 1, 1)) * N + n_min] + 0.5f * image[at_m_n] + 0.25f * image[(m + max_i64(M - 1, 1)) * N + min_i64(N - 1, n + 1)]);
      const float product_2 = 0.25f * (0.25f * image[n_min + (M - 1) * N] + 0.5f * image[n + (M - 1) * N] + 0.25f * image[min_i64(N - 1, n + 1) + (M - 1) * N]);
      output[at_m_n] = product + product_1 + product_2;
    }
  }
  return 0;
}
