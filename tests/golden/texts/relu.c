// relu(xs: N.f32) -> N.(f32, bool) for all N
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int relu(int64_t N, const float *restrict xs, float *restrict output_1st, uint8_t *restrict output_2nd) {
  #pragma omp parallel for schedule(static) if(255 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float this_xs = xs[at_n];
      const bool this_xs_is_positive = this_xs > 0.0f;
      output_1st[at_n] = this_xs_is_positive ? this_xs : 0.0f;
      output_2nd[at_n] = this_xs_is_positive ? true : false;
    }
  }
  return 0;
}
