// gemm_f32(alpha: f32, beta: f32, a: 16.16.f32, b: 16.16.f32, c: 16.16.f32) -> 16.16.f32
#include <math.h>
#include <stdint.h>

int shine_gemm_f32(
    float alpha,
    float beta,
    const float *restrict a,
    const float *restrict b,
    const float *restrict c,
    float *restrict output
) {
  _Alignas(64) float b_tile[256];
  for (int64_t a_column = 0; a_column < 16; a_column++) {
    #pragma omp simd
    for (int64_t column = 0; column < 16; column++) {
      b_tile[a_column * 16 + column] = b[a_column * 16 + column];
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
          acc[row * 16 + column] = fmaf(a[row_block * 96 + row * 16 + a_column], b_tile[a_column * 16 + column], acc[row * 16 + column]);
        }
      }
    }
    for (int64_t row = 0; row < 6; row++) {
      for (int64_t column = 0; column < 16; column++) {
        const int64_t at_row_column = row_block * 96 + row * 16 + column;
        output[at_row_column] = alpha * acc[row * 16 + column] + beta * c[at_row_column];
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
        acc[column] = fmaf(a[row * 16 + a_column + 192], b_tile[a_column * 16 + column], acc[column]);
      }
    }
    for (int64_t column = 0; column < 16; column++) {
      output[row * 16 + column + 192] = alpha * acc[column] + beta * c[row * 16 + column + 192];
    }
  }
  return 0;
}
