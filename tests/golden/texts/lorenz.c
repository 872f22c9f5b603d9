// lorenz(points: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
#include <stdint.h>

int lorenz(
    int64_t N,
    const float *restrict points_1,
    const float *restrict points_2,
    const float *restrict points_3,
    float *restrict output_1,
    float *restrict output_2,
    float *restrict output_3
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float p;
    float p_1;
    float p_2;
    p = points_1[n];
    p_1 = points_2[n];
    p_2 = points_3[n];
    #pragma GCC unroll 10
    for (int64_t i_i = 0; i_i < 10; i_i++) {
      const float x = p + 0.01f * (10.0f * (p_1 - p));
      const float x_1 = 0.01f * (p * (28.0f - p_2) - p_1);
      const float x_2 = p_2 + 0.01f * (p * p_1 - 2.5f * p_2);
      p = x;
      p_1 = p_1 + x_1;
      p_2 = x_2;
    }
    output_1[n] = p;
    output_2[n] = p_1;
    output_3[n] = p_2;
  }
  return 0;
}
