// transpose4(xs: K.L.M.N.f32) -> N.M.L.K.f32 for all K, L, M, N
#include <stdint.h>

int transpose4(int64_t K, int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(32767 < K * L * M * N)
  for (int64_t n = 0; n < N; n++) {
    for (int64_t m = 0; m < M; m++) {
      for (int64_t l = 0; l < L; l++) {
        for (int64_t k = 0; k < K; k++) {
          output[((n * M + m) * L + l) * K + k] = xs[((k * L + l) * M + m) * N + n];
        }
      }
    }
  }
  return 0;
}
