// trmv_packed(a: ((N^2 + N) /^ 2).f32, x: N.f32) -> N.f32 for all N
#include <stdint.h>

int trmv_packed(int64_t N, const float *restrict a, const float *restrict x, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_row = 0; i_row < N; i_row++) {
    float acc;
    acc = 0.0f;
    for (int64_t i_x = 0; i_x < i_row + 1; i_x++) {
      acc = acc + a[(i_row * i_row + i_row) / 2 + i_x] * x[i_x];
    }
    output[i_row] = acc;
  }
  return 0;
}
