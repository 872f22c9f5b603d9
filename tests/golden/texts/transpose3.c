// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
#include <stdint.h>

int transpose3(int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < N; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < L; i_x_1++) {
      for (int64_t i_x_2 = 0; i_x_2 < M; i_x_2++) {
        output[(i_x * L + i_x_1) * M + i_x_2] = xs[(i_x_1 * M + i_x_2) * N + i_x];
      }
    }
  }
  return 0;
}
