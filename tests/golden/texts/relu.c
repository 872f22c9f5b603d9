// relu(xs: N.f32) -> N.(f32, bool) for all N
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int relu(int64_t N, const float *restrict xs, float *restrict output_1, bool *restrict output_2) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const float x = xs[n_block * 32 + n];
      const bool choice = x > 0.0f;
      output_1[n_block * 32 + n] = choice ? x : 0.0f;
      output_2[n_block * 32 + n] = choice ? true : false;
    }
  }
  return 0;
}
