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
  for (int64_t i_p = 0; i_p < min_i64(M, 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float x = (0 < i_p ? now[(i_p - 1) * N + i_p_1] : 0.0f) + (0 < i_p_1 ? now[i_p * N + i_p_1 - 1] : 0.0f) + (i_p_1 + 1 < N ? now[i_p * N + i_p_1 + 1] : 0.0f) + (i_p + 1 < M ? now[(i_p + 1) * N + i_p_1] : 0.0f);
      const float x_1 = 2.0f * now[i_p * N + i_p_1] - before[i_p * N + i_p_1] + speed[i_p * N + i_p_1] * (x - 4.0f * now[i_p * N + i_p_1]);
      output[i_p * N + i_p_1] = x_1;
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < M - 2; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(N, 1); i_p_1++) {
      const float x = now[i_p * N + i_p_1] + (0 < i_p_1 ? now[(i_p + 1) * N + i_p_1 - 1] : 0.0f) + (i_p_1 + 1 < N ? now[(i_p + 1) * N + i_p_1 + 1] : 0.0f) + now[(i_p + 2) * N + i_p_1];
      const float x_1 = 2.0f * now[(i_p + 1) * N + i_p_1] - before[(i_p + 1) * N + i_p_1] + speed[(i_p + 1) * N + i_p_1] * (x - 4.0f * now[(i_p + 1) * N + i_p_1]);
      output[(i_p + 1) * N + i_p_1] = x_1;
    }
    for (int64_t i_p_1 = 0; i_p_1 < N - 2; i_p_1++) {
      const float x = now[i_p * N + i_p_1 + 1] + now[(i_p + 1) * N + i_p_1] + now[(i_p + 1) * N + i_p_1 + 2] + now[(i_p + 2) * N + i_p_1 + 1];
      const float x_1 = 2.0f * now[(i_p + 1) * N + i_p_1 + 1] - before[(i_p + 1) * N + i_p_1 + 1] + speed[(i_p + 1) * N + i_p_1 + 1] * (x - 4.0f * now[(i_p + 1) * N + i_p_1 + 1]);
      output[(i_p + 1) * N + i_p_1 + 1] = x_1;
    }
    for (int64_t i_p_1 = 0; i_p_1 < min_i64(max_i64(0, N - 1), 1); i_p_1++) {
      const float x = now[i_p * N + i_p_1 + max_i64(N - 1, 1)] + (0 < i_p_1 + max_i64(N - 1, 1) ? now[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1) - 1] : 0.0f) + (i_p_1 + max_i64(N - 1, 1) + 1 < N ? now[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1) + 1] : 0.0f) + now[(i_p + 2) * N + i_p_1 + max_i64(N - 1, 1)];
      const float x_1 = 2.0f * now[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] - before[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] + speed[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] * (x - 4.0f * now[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)]);
      output[(i_p + 1) * N + i_p_1 + max_i64(N - 1, 1)] = x_1;
    }
  }
  for (int64_t i_p = 0; i_p < min_i64(max_i64(0, M - 1), 1); i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      const float x = (0 < i_p + max_i64(M - 1, 1) ? now[(i_p + max_i64(M - 1, 1) - 1) * N + i_p_1] : 0.0f) + (0 < i_p_1 ? now[(i_p + max_i64(M - 1, 1)) * N + i_p_1 - 1] : 0.0f) + (i_p_1 + 1 < N ? now[(i_p + max_i64(M - 1, 1)) * N + i_p_1 + 1] : 0.0f) + (i_p + max_i64(M - 1, 1) + 1 < M ? now[(i_p + max_i64(M - 1, 1) + 1) * N + i_p_1] : 0.0f);
      const float x_1 = 2.0f * now[(i_p + max_i64(M - 1, 1)) * N + i_p_1] - before[(i_p + max_i64(M - 1, 1)) * N + i_p_1] + speed[(i_p + max_i64(M - 1, 1)) * N + i_p_1] * (x - 4.0f * now[(i_p + max_i64(M - 1, 1)) * N + i_p_1]);
      output[(i_p + max_i64(M - 1, 1)) * N + i_p_1] = x_1;
    }
  }
  return 0;
}
