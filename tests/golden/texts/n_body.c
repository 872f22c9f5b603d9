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
  for (int64_t i_body_block = 0; i_body_block < N / 32; i_body_block++) {
    _Alignas(64) float acc[32];
    _Alignas(64) float acc_1[32];
    _Alignas(64) float acc_2[32];
    for (int64_t i_body = 0; i_body < 32; i_body++) {
      acc[i_body] = 0.0f;
      acc_1[i_body] = 0.0f;
      acc_2[i_body] = 0.0f;
    }
    for (int64_t i_x = 0; i_x < N; i_x++) {
      #pragma omp simd
      for (int64_t i_body = 0; i_body < 32; i_body++) {
        const float dx = bodies_2[i_x] - bodies_2[i_body_block * 32 + i_body];
        const float dy = bodies_3[i_x] - bodies_3[i_body_block * 32 + i_body];
        const float dz = bodies_4[i_x] - bodies_4[i_body_block * 32 + i_body];
        const float x = dx * dx + dy * dy + dz * dz + 0.25f;
        const float strength = bodies_1[i_x] / (x * sqrtf(x));
        const float b_1 = strength * dx;
        const float b_2_1 = strength * dy;
        const float b_2_2 = strength * dz;
        acc[i_body] = acc[i_body] + b_1;
        acc_1[i_body] = acc_1[i_body] + b_2_1;
        acc_2[i_body] = acc_2[i_body] + b_2_2;
      }
    }
    #pragma omp simd
    for (int64_t i_body = 0; i_body < 32; i_body++) {
      output_1[i_body_block * 32 + i_body] = acc[i_body];
      output_2[i_body_block * 32 + i_body] = acc_1[i_body];
      output_3[i_body_block * 32 + i_body] = acc_2[i_body];
    }
  }
  for (int64_t i_body = 0; i_body < N % 32; i_body++) {
    float acc;
    float acc_1;
    float acc_2;
    acc = 0.0f;
    acc_1 = 0.0f;
    acc_2 = 0.0f;
    for (int64_t i_x = 0; i_x < N; i_x++) {
      const float dx = bodies_2[i_x] - bodies_2[i_body + 32 * (N / 32)];
      const float dy = bodies_3[i_x] - bodies_3[i_body + 32 * (N / 32)];
      const float dz = bodies_4[i_x] - bodies_4[i_body + 32 * (N / 32)];
      const float x = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1[i_x] / (x * sqrtf(x));
      const float b_1 = strength * dx;
      const float b_2_1 = strength * dy;
      const float b_2_2 = strength * dz;
      acc = acc + b_1;
      acc_1 = acc_1 + b_2_1;
      acc_2 = acc_2 + b_2_2;
    }
    output_1[i_body + 32 * (N / 32)] = acc;
    output_2[i_body + 32 * (N / 32)] = acc_1;
    output_3[i_body + 32 * (N / 32)] = acc_2;
  }
  return 0;
}
