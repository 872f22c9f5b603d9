// batched_mm(as: 8.4.4.f32, bs: 8.4.4.f32) -> 8.4.4.f32
#include <math.h>
#include <stdint.h>

int batched_mm(const float *restrict as, const float *restrict bs, float *restrict output) {
  for (int64_t plane = 0; plane < 8; plane++) {
    _Alignas(64) float bs_tile[64];
    for (int64_t as_column = 0; as_column < 4; as_column++) {
      for (int64_t column = 0; column < 3; column++) {
        bs_tile[as_column * 16 + column] = bs[plane * 16 + as_column * 4 + column];
      }
      for (int64_t column = 0; column < 13; column++) {
        bs_tile[as_column * 16 + column + 3] = bs[plane * 16 + as_column * 4 + 3];
      }
    }
    for (int64_t row = 0; row < 4; row++) {
      _Alignas(64) float acc[16];
      for (int64_t column = 0; column < 16; column++) {
        acc[column] = 0.0f;
      }
      for (int64_t as_column = 0; as_column < 4; as_column++) {
        #pragma omp simd
        for (int64_t column = 0; column < 16; column++) {
          acc[column] = fmaf(as[plane * 16 + row * 4 + as_column], bs_tile[as_column * 16 + column], acc[column]);
        }
      }
      for (int64_t column = 0; column < 4; column++) {
        output[plane * 16 + row * 4 + column] = acc[column];
      }
    }
  }
  return 0;
}
