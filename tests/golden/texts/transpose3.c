// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
#include <stdint.h>

int transpose3(int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(32767 < L * M * N)
  for (int64_t n = 0; n < N; n++) {
    for (int64_t l = 0; l < L; l++) {
      for (int64_t m = 0; m < M; m++) {
        output[(n * L + l) * M + m] = xs[(l * M + m) * N + n];
      }
    }
  }
  return 0;
}
