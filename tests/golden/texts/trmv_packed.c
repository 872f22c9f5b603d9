// trmv_packed(a: ((N^2 + N) /^ 2).f32, x: N.f32) -> N.f32 for all N
#include <stdint.h>

int trmv_packed(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float acc;
    acc = 0.0f;
    for (int64_t n_1 = 0; n_1 < n + 1; n_1++) {
      acc = acc + a[(n * n + n) / 2 + n_1] * x[n_1];
    }
    output[n] = acc;
  }
  return 0;
}
