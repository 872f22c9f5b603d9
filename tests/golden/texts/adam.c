// adam(rate: f32, gradients: N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int adam(
    int64_t N,
    float rate,
    const float *restrict gradients,
    const float *restrict state_1,
    const float *restrict state_2,
    const float *restrict state_3,
    float *restrict output_1,
    float *restrict output_2,
    float *restrict output_3
) {
  const float rate_1 = rate;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < (N + 31) / 32; i_x++) {
    #pragma omp simd
    for (int64_t i_p = 0; i_p < min_i64(N - i_x * 32, 32); i_p++) {
      const float m = 0.9f * state_2[i_x * 32 + i_p] + 0.1f * gradients[i_x * 32 + i_p];
      const float s = 0.999f * fabsf(state_3[i_x * 32 + i_p]) + 0.001f * gradients[i_x * 32 + i_p] * gradients[i_x * 32 + i_p];
      const float x = state_1[i_x * 32 + i_p] - rate_1 * m / (sqrtf(s) + 1e-08f);
      output_1[i_x * 32 + i_p] = x;
      output_2[i_x * 32 + i_p] = m;
      output_3[i_x * 32 + i_p] = s;
    }
  }
  return 0;
}
