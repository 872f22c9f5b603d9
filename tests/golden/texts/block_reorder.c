// block_reorder(a: (4 * M).(8 * N).f32) -> M.N.4.8.f32 for all M, N
#include <stdint.h>

int block_reorder(int64_t M, int64_t N, const float *restrict a, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      for (int64_t i_x_2 = 0; i_x_2 < 4; i_x_2++) {
        for (int64_t i_x_3 = 0; i_x_3 < 8; i_x_3++) {
          output[i_x * 32 * N + i_x_1 * 32 + i_x_2 * 8 + i_x_3] = a[(i_x * 32 + i_x_2 * 8) * N + i_x_1 * 8 + i_x_3];
        }
      }
    }
  }
  return 0;
}
