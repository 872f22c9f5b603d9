// short_windows(xs: N.f32) -> ceil(N, 3).f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int short_windows(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(2849 < (N + 2) / 3)
  for (int64_t n = 0; n < (N + 2) / 3 - 2; n++) {
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 5
    for (int64_t n_1 = 0; n_1 < 5; n_1++) {
      sum = sum + xs[n * 3 + n_1];
    }
    output[n] = sum;
  }
  for (int64_t n = 0; n < min_i64((N + 2) / 3, 2); n++) {
    float sum;
    sum = 0.0f;
    for (int64_t n_1 = 0; n_1 < min_i64(N - n * 3 - 3 * max_i64(0, (N + 2) / 3 - 2), 5); n_1++) {
      sum = sum + xs[n * 3 + n_1 + 3 * max_i64(0, (N + 2) / 3 - 2)];
    }
    output[n + max_i64(0, (N + 2) / 3 - 2)] = sum;
  }
  return 0;
}
