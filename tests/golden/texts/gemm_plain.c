// gemm_plain(a: 16.16.f16, b: 16.16.f16) -> 16.16.f32
#include <math.h>
#include <stdint.h>

static inline float f32_of_f16_at(const _Float16 *p) {
#if defined __clang__ || __GNUC__ > 12 // compilers that make vectors of the conversion itself
  return (float)*p;
#else
  typedef uint16_t __attribute__((may_alias)) half_bits;
  const uint16_t bits = *(const half_bits *)p;
  const uint32_t x = (uint32_t)(bits & 0x7fff) << 13, e = x & 0x0f800000;
  union { uint32_t bits; float value; } tiny = {x + 0x38800000}, r = {x + 0x38000000};
  tiny.value -= 0x1p-14f;
  r.bits = (e == 0 ? tiny.bits : e == 0x0f800000 ? x + 0x70000000 : r.bits) | (uint32_t)(bits & 0x8000) << 16;
  return r.value;
#endif
}

int gemm_plain(const _Float16 *restrict a, const _Float16 *restrict b, float *restrict output) {
  _Alignas(64) float a_tile[256];
  for (int64_t row = 0; row < 16; row++) {
    #pragma omp simd
    for (int64_t a_column = 0; a_column < 16; a_column++) {
      a_tile[row * 16 + a_column] = f32_of_f16_at(&a[row * 16 + a_column]);
    }
  }
  _Alignas(64) float b_tile[256];
  for (int64_t a_column = 0; a_column < 16; a_column++) {
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      b_tile[a_column * 16 + column] = f32_of_f16_at(&b[a_column * 16 + column]);
    }
  }
  for (int64_t row_block = 0; row_block < 2; row_block++) {
    _Alignas(64) float acc[96];
    for (int64_t row = 0; row < 6; row++) {
      for (int64_t column = 0; column < 16; column++) {
        acc[row * 16 + column] = 0.0f;
      }
    }
    for (int64_t a_column = 0; a_column < 16; a_column++) {
      for (int64_t row = 0; row < 6; row++) {
        #pragma omp simd
        for (int64_t column = 0; column < 16; column++) {
          acc[row * 16 + column] = fmaf(a_tile[row_block * 96 + row * 16 + a_column], b_tile[a_column * 16 + column], acc[row * 16 + column]);
        }
      }
    }
    for (int64_t row = 0; row < 6; row++) {
      for (int64_t column = 0; column < 16; column++) {
        output[row_block * 96 + row * 16 + column] = acc[row * 16 + column];
      }
    }
  }
  for (int64_t row = 0; row < 4; row++) {
    _Alignas(64) float acc[16];
    for (int64_t column = 0; column < 16; column++) {
      acc[column] = 0.0f;
    }
    for (int64_t a_column = 0; a_column < 16; a_column++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        acc[column] = fmaf(a_tile[row * 16 + a_column + 192], b_tile[a_column * 16 + column], acc[column]);
      }
    }
    for (int64_t column = 0; column < 16; column++) {
      output[row * 16 + column + 192] = acc[column];
    }
  }
  return 0;
}
