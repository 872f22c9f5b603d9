// gemm_bf16(a: 16.16.bf16, b: 16.16.bf16) -> 16.16.f32
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint16_t bf16; // the upper half of a float

static inline float f32_of_bf16(bf16 a) {
  union { uint32_t bits; float value; } r = {(uint32_t)a << 16};
  return r.value;
}

int shine_gemm_bf16(const bf16 *restrict a, const bf16 *restrict b, float *restrict output) {
  _Alignas(64) float a_tile[256];
  for (int64_t row = 0; row < 16; row++) {
    #pragma omp simd
    for (int64_t a_column = 0; a_column < 16; a_column++) {
      a_tile[row * 16 + a_column] = f32_of_bf16(a[row * 16 + a_column]);
    }
  }
  _Alignas(64) float b_tile[256];
  for (int64_t a_column = 0; a_column < 16; a_column++) {
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      b_tile[a_column * 16 + column] = f32_of_bf16(b[a_column * 16 + column]);
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
