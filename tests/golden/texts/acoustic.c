// acoustic(before: M.N.f32, now: M.N.f32, speed: M.N.f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int acoustic(
    int64_t M,
    int64_t N,
    const float *restrict before,
    const float *restrict now,
    const float *restrict speed,
    float *restrict output
) {
  for (int64_t m = 0; m < min_i64(M, 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float sum = (0 < m ? now[(m - 1) * N + n] : 0.0f) + (0 < n ? now[m * N + n - 1] : 0.0f) + (n + 1 < N ? now[m * N + n + 1] : 0.0f) + (m + 1 < M ? now[(m + 1) * N + n] : 0.0f);
      const int64_t at_m_n = m * N + n;
      output[at_m_n] = 2.0f * now[at_m_n] - before[at_m_n] + speed[at_m_n] * (sum - 4.0f * now[at_m_n]);
    }
  }
  #pragma omp parallel for schedule(static) if(3276 < M * N)
  for (int64_t m = 0; m < M - 2; m++) {
    for (int64_t n = 0; n < min_i64(N, 1); n++) {
      const float sum = now[m * N + n] + (0 < n ? now[(m + 1) * N + n - 1] : 0.0f) + (n + 1 < N ? now[(m + 1) * N + n + 1] : 0.0f) + now[(m + 2) * N + n];
      const int64_t at_m_n = (m + 1) * N + n;
      output[at_m_n] = 2.0f * now[at_m_n] - before[at_m_n] + speed[at_m_n] * (sum - 4.0f * now[at_m_n]);
    }
    for (int64_t n = 0; n < N - 2; n++) {
      const float sum = now[m * N + n + 1] + now[(m + 1) * N + n] + now[(m + 1) * N + n + 2] + now[(m + 2) * N + n + 1];
      const int64_t at_m_n = (m + 1) * N + n + 1;
      output[at_m_n] = 2.0f * now[at_m_n] - before[at_m_n] + speed[at_m_n] * (sum - 4.0f * now[at_m_n]);
    }
    for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
      const float sum = now[m * N + n + max_i64(N - 1, 1)] + (0 < n + max_i64(N - 1, 1) ? now[(m + 1) * N + n + max_i64(N - 1, 1) - 1] : 0.0f) + (n + max_i64(N - 1, 1) + 1 < N ? now[(m + 1) * N + n + max_i64(N - 1, 1) + 1] : 0.0f) + now[(m + 2) * N + n + max_i64(N - 1, 1)];
      const int64_t at_m_n = (m + 1) * N + n + max_i64(N - 1, 1);
      output[at_m_n] = 2.0f * now[at_m_n] - before[at_m_n] + speed[at_m_n] * (sum - 4.0f * now[at_m_n]);
    }
  }
  for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 1); m++) {
    for (int64_t n = 0; n < N; n++) {
      const float sum = (0 < m + max_i64(M - 1, 1) ? now[(m + max_i64(M - 1, 1) - 1) * N + n] : 0.0f) + (0 < n ? now[(m + max_i64(M - 1, 1)) * N + n - 1] : 0.0f) + (n + 1 < N ? now[(m + max_i64(M - 1, 1)) * N + n + 1] : 0.0f) + (m + max_i64(M - 1, 1) + 1 < M ? now[(m + max_i64(M - 1, 1) + 1) * N + n] : 0.0f);
      const int64_t at_m_n = (m + max_i64(M - 1, 1)) * N + n;
      output[at_m_n] = 2.0f * now[at_m_n] - before[at_m_n] + speed[at_m_n] * (sum - 4.0f * now[at_m_n]);
    }
  }
  return 0;
}
