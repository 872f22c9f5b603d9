// block_reorder(a: (4 * M).(8 * N).f32) -> M.N.4.8.f32 for all M, N
#include <stdint.h>

int block_reorder(int64_t M, int64_t N, const float *restrict a, float *restrict output) {
  #pragma omp parallel for schedule(static) if(1023 < M * N)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      for (int64_t k = 0; k < 4; k++) {
        for (int64_t l = 0; l < 8; l++) {
          output[m * 32 * N + n * 32 + k * 8 + l] = a[(m * 32 + k * 8) * N + n * 8 + l];
        }
      }
    }
  }
  return 0;
}
