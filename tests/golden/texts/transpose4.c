// transpose4(xs: K.L.M.N.f32) -> N.M.L.K.f32 for all K, L, M, N
#include <stdint.h>

int transpose4(int64_t K, int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < N; i_x++) {
    for (int64_t i_x_1 = 0; i_x_1 < M; i_x_1++) {
      for (int64_t i_x_2 = 0; i_x_2 < L; i_x_2++) {
        for (int64_t i_x_3 = 0; i_x_3 < K; i_x_3++) {
          output[((i_x * M + i_x_1) * L + i_x_2) * K + i_x_3] = xs[((i_x_3 * L + i_x_2) * M + i_x_1) * N + i_x];
        }
      }
    }
  }
  return 0;
}
