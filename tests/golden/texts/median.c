// median(xs: N.f32) -> N.f32 for all N where N >= 1
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

int median(int64_t N, const float *restrict xs, float *restrict output) {
  for (int64_t i_block = 0; i_block < min_i64((N + 31) / 32, 1); i_block++) {
    for (int64_t i_w = 0; i_w < min_i64(N - i_block * 32, 32); i_w++) {
      const float a = xs[min_i64(N - 1, max_i64(i_block * 32 + i_w, 1) - 1)];
      const float b = xs[i_block * 32 + i_w];
      output[i_block * 32 + i_w] = max_f32(min_f32(a, b), min_f32(max_f32(a, b), xs[min_i64(N - 1, i_block * 32 + i_w + 1)]));
    }
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_block = 0; i_block < (N + 31) / 32 - 2; i_block++) {
    for (int64_t i_w = 0; i_w < 32; i_w++) {
      const float a = xs[i_block * 32 + i_w + 31];
      const float b = xs[i_block * 32 + i_w + 32];
      output[i_block * 32 + i_w + 32] = max_f32(min_f32(a, b), min_f32(max_f32(a, b), xs[i_block * 32 + i_w + 33]));
    }
  }
  for (int64_t i_block = 0; i_block < min_i64(max_i64(0, (N + 31) / 32 - 1), 1); i_block++) {
    for (int64_t i_w = 0; i_w < N - i_block * 32 - 32 * max_i64((N + 31) / 32 - 1, 1); i_w++) {
      const float a = xs[min_i64(N - 1, i_block * 32 + i_w + 32 * max_i64((N + 31) / 32 - 1, 1) - 1)];
      const float b = xs[i_block * 32 + i_w + 32 * max_i64((N + 31) / 32 - 1, 1)];
      output[i_block * 32 + i_w + 32 * max_i64((N + 31) / 32 - 1, 1)] = max_f32(min_f32(a, b), min_f32(max_f32(a, b), xs[min_i64(N - 1, i_block * 32 + i_w + 32 * max_i64((N + 31) / 32 - 1, 1) + 1)]));
    }
  }
  return 0;
}
