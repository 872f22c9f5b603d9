// lorenz(points: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
#include <stdint.h>

int lorenz(
    int64_t N,
    const float *restrict points_1st,
    const float *restrict points_2nd,
    const float *restrict points_3rd,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  #pragma omp parallel for schedule(static) if(203 < N)
  for (int64_t n = 0; n < N; n++) {
    float p_1st;
    float sum_2nd;
    float p_3rd;
    p_1st = points_1st[n];
    sum_2nd = points_2nd[n];
    p_3rd = points_3rd[n];
    #pragma GCC unroll 10
    for (int64_t i_i = 0; i_i < 10; i_i++) {
      const float product = 0.01f * (p_1st * (28.0f - p_3rd) - sum_2nd);
      const float sum = p_3rd + 0.01f * (p_1st * sum_2nd - 2.5f * p_3rd);
      p_1st = p_1st + 0.01f * (10.0f * (sum_2nd - p_1st));
      sum_2nd = sum_2nd + product;
      p_3rd = sum;
    }
    output_1st[n] = p_1st;
    output_2nd[n] = sum_2nd;
    output_3rd[n] = p_3rd;
  }
  return 0;
}
