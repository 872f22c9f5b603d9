// max_pool(channels: C.(2 * M).(2 * N).f32) -> C.M.N.f32 for all C, M, N
#include <math.h>
#include <stdint.h>

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

int max_pool(int64_t C, int64_t M, int64_t N, const float *restrict channels, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_image = 0; i_image < C; i_image++) {
    for (int64_t i_x = 0; i_x < M; i_x++) {
      for (int64_t i_block = 0; i_block < N; i_block++) {
        float x;
        x = -INFINITY;
        #pragma GCC unroll 4
        for (int64_t i_x_1 = 0; i_x_1 < 4; i_x_1++) {
          x = max_f32(x, channels[(i_image * 4 * M + i_x * 4 + i_x_1 / 2 * 2) * N + i_block * 2 + i_x_1 % 2]);
        }
        output[(i_image * M + i_x) * N + i_block] = x;
      }
    }
  }
  return 0;
}
