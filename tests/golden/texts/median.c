// median(xs: N.f32) -> N.f32 for all N where N >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline float min_f32(float a, float b) { const float r = b < a ? b : a; return b != b ? b : r; }

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

int median(int64_t N, const float *restrict xs, float *restrict output) {
  for (int64_t n_block = 0; n_block < min_i64((N + 31) / 32, 1); n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float a = xs[min_i64(N - 1, max_i64(at_n, 1) - 1)];
      const float this_xs = xs[at_n];
      output[at_n] = max_f32(min_f32(a, this_xs), min_f32(max_f32(a, this_xs), xs[min_i64(N - 1, n_block * 32 + n + 1)]));
    }
  }
  #pragma omp parallel for schedule(static) if(204 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32 - 2; n_block++) {
    for (int64_t n = 0; n < 32; n++) {
      const float a = xs[n_block * 32 + n + 31];
      const float this_xs = xs[n_block * 32 + n + 32];
      output[n_block * 32 + n + 32] = max_f32(min_f32(a, this_xs), min_f32(max_f32(a, this_xs), xs[n_block * 32 + n + 33]));
    }
  }
  for (int64_t n_block = 0; n_block < min_i64(max_i64(0, (N + 31) / 32 - 1), 1); n_block++) {
    for (int64_t n = 0; n < N - n_block * 32 - 32 * max_i64((N + 31) / 32 - 1, 1); n++) {
      const float a = xs[min_i64(N - 1, n_block * 32 + n + 32 * max_i64((N + 31) / 32 - 1, 1) - 1)];
      const int64_t at_n = n_block * 32 + n + 32 * max_i64((N + 31) / 32 - 1, 1);
      const float this_xs = xs[at_n];
      output[at_n] = max_f32(min_f32(a, this_xs), min_f32(max_f32(a, this_xs), xs[min_i64(N - 1, n_block * 32 + n + 32 * max_i64((N + 31) / 32 - 1, 1) + 1)]));
    }
  }
  return 0;
}
