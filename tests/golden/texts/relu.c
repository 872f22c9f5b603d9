// relu(xs: N.f32) -> N.(f32, bool) for all N
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int relu(int64_t N, const float *restrict xs, float *restrict output_1, bool *restrict output_2) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_block = 0; i_block < (N + 31) / 32; i_block++) {
    for (int64_t i_x = 0; i_x < min_i64(N - i_block * 32, 32); i_x++) {
      const float x = xs[i_block * 32 + i_x];
      const bool choice = x > 0.0f;
      output_1[i_block * 32 + i_x] = choice ? x : 0.0f;
      output_2[i_block * 32 + i_x] = choice ? true : false;
    }
  }
  return 0;
}
