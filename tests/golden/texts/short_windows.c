// short_windows(xs: N.f32) -> ceil(N, 3).f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int short_windows(int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_row = 0; i_row < (N + 2) / 3 - 2; i_row++) {
    float x;
    x = 0.0f;
    #pragma GCC unroll 5
    for (int64_t i_x = 0; i_x < 5; i_x++) {
      x = x + xs[i_row * 3 + i_x];
    }
    output[i_row] = x;
  }
  for (int64_t i_row = 0; i_row < min_i64((N + 2) / 3, 2); i_row++) {
    float x;
    x = 0.0f;
    for (int64_t i_x = 0; i_x < min_i64(N - i_row * 3 - 3 * max_i64(0, (N + 2) / 3 - 2), 5); i_x++) {
      x = x + xs[i_row * 3 + i_x + 3 * max_i64(0, (N + 2) / 3 - 2)];
    }
    output[i_row + max_i64(0, (N + 2) / 3 - 2)] = x;
  }
  return 0;
}
