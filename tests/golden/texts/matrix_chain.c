// matrix_chain(a: 4.4.f32, b: 4.8.f32, c: 8.8.f32) -> 4.8.f32
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int matrix_chain(
    const float *restrict a,
    const float *restrict b,
    const float *restrict c,
    float *restrict output
) {
  _Alignas(64) float ab[32];
  _Alignas(64) float b_tile[64];
  for (int64_t a_column = 0; a_column < 4; a_column++) {
    for (int64_t b_column = 0; b_column < 16; b_column++) {
      b_tile[a_column * 16 + b_column] = b[a_column * 8 + min_i64(b_column, 7)];
    }
  }
  for (int64_t row = 0; row < 4; row++) {
    _Alignas(64) float acc[16];
    for (int64_t b_column = 0; b_column < 16; b_column++) {
      acc[b_column] = 0.0f;
    }
    for (int64_t a_column = 0; a_column < 4; a_column++) {
      #pragma omp simd
      for (int64_t b_column = 0; b_column < 16; b_column++) {
        acc[b_column] = fmaf(a[row * 4 + a_column], b_tile[a_column * 16 + b_column], acc[b_column]);
      }
    }
    #pragma omp simd
    for (int64_t b_column = 0; b_column < 8; b_column++) {
      ab[row * 8 + b_column] = acc[b_column];
    }
  }
  _Alignas(64) float c_tile[128];
  for (int64_t b_column = 0; b_column < 8; b_column++) {
    for (int64_t column = 0; column < 16; column++) {
      c_tile[b_column * 16 + column] = c[b_column * 8 + min_i64(column, 7)];
    }
  }
  for (int64_t row = 0; row < 4; row++) {
    _Alignas(64) float acc[16];
    for (int64_t column = 0; column < 16; column++) {
      acc[column] = 0.0f;
    }
    for (int64_t b_column = 0; b_column < 8; b_column++) {
      #pragma omp simd
      for (int64_t column = 0; column < 16; column++) {
        acc[column] = fmaf(ab[row * 8 + b_column], c_tile[b_column * 16 + column], acc[column]);
      }
    }
    #pragma GCC unroll 8
    for (int64_t column = 0; column < 8; column++) {
      output[row * 8 + column] = acc[column];
    }
  }
  return 0;
}
