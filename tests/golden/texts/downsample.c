// downsample(image: (2 * M).(2 * N).f32) -> M.N.f32 for all M, N
#include <stdint.h>

int downsample(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    for (int64_t i_block = 0; i_block < N; i_block++) {
      float x;
      x = 0.0f;
      #pragma GCC unroll 4
      for (int64_t i_x_1 = 0; i_x_1 < 4; i_x_1++) {
        x = x + image[(i_x * 4 + i_x_1 / 2 * 2) * N + i_block * 2 + i_x_1 % 2];
      }
      output[i_x * N + i_block] = 0.25f * x;
    }
  }
  return 0;
}
