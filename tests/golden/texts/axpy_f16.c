// axpy_f16(alpha: f16, xs: 37.f16, ys: 37.f16) -> 37.f16
#include <stdint.h>

static inline _Float16 f16_of_bits(uint16_t bits) {
  union { uint16_t bits; _Float16 value; } r = {bits};
  return r.value;
}

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int shine_axpy_f16(
    uint16_t alpha_bits,
    const _Float16 *restrict xs,
    const _Float16 *restrict ys,
    _Float16 *restrict output
) {
  const _Float16 alpha = f16_of_bits(alpha_bits);
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    for (int64_t i = 0; i < min_i64(37 - i_block * 32, 32); i++) {
      const int64_t at_i = i_block * 32 + i;
      output[at_i] = alpha * xs[at_i] + ys[at_i];
    }
  }
  return 0;
}
