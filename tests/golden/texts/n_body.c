// n_body(bodies: N.(f32, (f32, (f32, f32)))) -> N.(f32, (f32, f32)) for all N
#include <math.h>
#include <stdint.h>

int n_body(
    int64_t N,
    const float *restrict bodies_1,
    const float *restrict bodies_2,
    const float *restrict bodies_3,
    const float *restrict bodies_4,
    float *restrict output_1,
    float *restrict output_2,
    float *restrict output_3
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float acc[32];
    _Alignas(64) float acc_1[32];
    _Alignas(64) float acc_2[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
      acc_1[n] = 0.0f;
      acc_2[n] = 0.0f;
    }
    for (int64_t n = 0; n < N; n++) {
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        const float dx = bodies_2[n] - bodies_2[n_block * 32 + n_1];
        const float dy = bodies_3[n] - bodies_3[n_block * 32 + n_1];
        const float dz = bodies_4[n] - bodies_4[n_block * 32 + n_1];
        const float x = dx * dx + dy * dy + dz * dz + 0.25f;
        const float strength = bodies_1[n] / (x * sqrtf(x));
        const float b = strength * dx;
        const float b_1 = strength * dy;
        const float b_2 = strength * dz;
        acc[n_1] = acc[n_1] + b;
        acc_1[n_1] = acc_1[n_1] + b_1;
        acc_2[n_1] = acc_2[n_1] + b_2;
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 32; n++) {
      output_1[n_block * 32 + n] = acc[n];
      output_2[n_block * 32 + n] = acc_1[n];
      output_3[n_block * 32 + n] = acc_2[n];
    }
  }
  for (int64_t n = 0; n < N % 32; n++) {
    float acc;
    float acc_1;
    float acc_2;
    acc = 0.0f;
    acc_1 = 0.0f;
    acc_2 = 0.0f;
    for (int64_t n_1 = 0; n_1 < N; n_1++) {
      const float dx = bodies_2[n_1] - bodies_2[n + 32 * (N / 32)];
      const float dy = bodies_3[n_1] - bodies_3[n + 32 * (N / 32)];
      const float dz = bodies_4[n_1] - bodies_4[n + 32 * (N / 32)];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[n_1] / (x * sqrtf(x));
      const float b = strength * dx;
      const float b_1 = strength * dy;
      const float b_2 = strength * dz;
      acc = acc + b;
      acc_1 = acc_1 + b_1;
      acc_2 = acc_2 + b_2;
    }
    output_1[n + 32 * (N / 32)] = acc;
    output_2[n + 32 * (N / 32)] = acc_1;
    output_3[n + 32 * (N / 32)] = acc_2;
  }
  return 0;
}
