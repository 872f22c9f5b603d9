// n_body(bodies: N.(f32, (f32, (f32, f32)))) -> N.(f32, (f32, f32)) for all N
#include <math.h>
#include <stdint.h>

int n_body(
    int64_t N,
    const float *restrict bodies_1st,
    const float *restrict bodies_2nd,
    const float *restrict bodies_3rd,
    const float *restrict bodies_4th,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  #pragma omp parallel for schedule(static) if(65535 < (53 * N + 9) * N)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float acc_1st[32];
    _Alignas(64) float acc_2nd[32];
    _Alignas(64) float acc_3rd[32];
    for (int64_t n = 0; n < 32; n++) {
      acc_1st[n] = 0.0f;
      acc_2nd[n] = 0.0f;
      acc_3rd[n] = 0.0f;
    }
    for (int64_t n = 0; n < N; n++) {
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        const int64_t at_n = n_block * 32 + n_1;
        const float dx = bodies_2nd[n] - bodies_2nd[at_n];
        const float dy = bodies_3rd[n] - bodies_3rd[at_n];
        const float dz = bodies_4th[n] - bodies_4th[at_n];
        const float square = dx * dx + dy * dy + dz * dz + 0.25f;
        const float strength = bodies_1st[n] / (square * sqrtf(square));
        const float product_from_dy = strength * dy;
        const float product_from_dz = strength * dz;
        acc_1st[n_1] = acc_1st[n_1] + strength * dx;
        acc_2nd[n_1] = acc_2nd[n_1] + product_from_dy;
        acc_3rd[n_1] = acc_3rd[n_1] + product_from_dz;
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n_block * 32 + n;
      output_1st[at_n] = acc_1st[n];
      output_2nd[at_n] = acc_2nd[n];
      output_3rd[at_n] = acc_3rd[n];
    }
  }
  for (int64_t n = 0; n < N % 32; n++) {
    float acc_1st;
    float acc_2nd;
    float acc_3rd;
    acc_1st = 0.0f;
    acc_2nd = 0.0f;
    acc_3rd = 0.0f;
    const int64_t at_n = n + 32 * (N / 32);
    for (int64_t n_1 = 0; n_1 < N; n_1++) {
      const float dx = bodies_2nd[n_1] - bodies_2nd[at_n];
      const float dy = bodies_3rd[n_1] - bodies_3rd[at_n];
      const float dz = bodies_4th[n_1] - bodies_4th[at_n];
      const float square = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1st[n_1] / (square * sqrtf(square));
      const float product_from_dy = strength * dy;
      const float product_from_dz = strength * dz;
      acc_1st = acc_1st + strength * dx;
      acc_2nd = acc_2nd + product_from_dy;
      acc_3rd = acc_3rd + product_from_dz;
    }
    output_1st[at_n] = acc_1st;
    output_2nd[at_n] = acc_2nd;
    output_3rd[at_n] = acc_3rd;
  }
  return 0;
}
