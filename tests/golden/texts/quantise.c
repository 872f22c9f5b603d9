// quantise(xs: 33.f32) -> 33.i8
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int8_t i8_of_f32(float a) { return !(a >= 1.0f || a <= -1.0f) ? 0 : a <= -128.0f ? INT8_MIN : a >= 128.0f ? INT8_MAX : (int8_t)a; }

int quantise(const float *restrict xs, int8_t *restrict output) {
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    for (int64_t i = 0; i < min_i64(33 - i_block * 32, 32); i++) {
      output[i_block * 32 + i] = i8_of_f32(xs[i_block * 32 + i] * 16.0f);
    }
  }
  return 0;
}
