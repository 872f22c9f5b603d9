// adam(rate: f32, gradients: N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int adam(
    int64_t N,
    float rate,
    const float *restrict gradients,
    const float *restrict state_1st,
    const float *restrict state_2nd,
    const float *restrict state_3rd,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const float m = 0.9f * state_2nd[n_block * 32 + n] + 0.1f * gradients[n_block * 32 + n];
      const float s = 0.999f * fabsf(state_3rd[n_block * 32 + n]) + 0.001f * gradients[n_block * 32 + n] * gradients[n_block * 32 + n];
      output_1st[n_block * 32 + n] = state_1st[n_block * 32 + n] - rate * m / (sqrtf(s) + 1e-08f);
      output_2nd[n_block * 32 + n] = m;
      output_3rd[n_block * 32 + n] = s;
    }
  }
  return 0;
}
