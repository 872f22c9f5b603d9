// batched_mm(as: 8.4.4.f32, bs: 8.4.4.f32) -> 8.4.4.f32
#include <math.h>
#include <stdint.h>

int batched_mm(const float *restrict as, const float *restrict bs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 8; i_p++) {
    _Alignas(64) float packed[64];
    for (int64_t i_x = 0; i_x < 4; i_x++) {
      for (int64_t i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        packed[i_x * 16 + i_x_1] = bs[i_p * 16 + i_x * 4 + i_x_1];
      }
      for (int64_t i_x_1 = 0; i_x_1 < 13; i_x_1++) {
        packed[i_x * 16 + i_x_1 + 3] = bs[i_p * 16 + i_x * 4 + 3];
      }
    }
    for (int64_t i_block = 0; i_block < 4; i_block++) {
      _Alignas(64) float acc[16];
      for (int64_t i_x_2 = 0; i_x_2 < 16; i_x_2++) {
        acc[i_x_2] = 0.0f;
      }
      for (int64_t i_x_3 = 0; i_x_3 < 4; i_x_3++) {
        for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
          acc[i_x_4] = fmaf(as[i_p * 16 + i_block * 4 + i_x_3], packed[i_x_3 * 16 + i_x_4], acc[i_x_4]);
        }
      }
      for (int64_t i_x_5 = 0; i_x_5 < 4; i_x_5++) {
        output[i_p * 16 + i_block * 4 + i_x_5] = acc[i_x_5];
      }
    }
  }
  return 0;
}
