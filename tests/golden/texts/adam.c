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
  #pragma omp parallel for schedule(static) if(52 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    #pragma omp simd
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float m = 0.9f * state_2nd[at_n] + 0.1f * gradients[at_n];
      const float s = 0.999f * fabsf(state_3rd[at_n]) + 0.001f * gradients[at_n] * gradients[at_n];
      output_1st[at_n] = state_1st[at_n] - rate * m / (sqrtf(s) + 1e-08f);
      output_2nd[at_n] = m;
      output_3rd[at_n] = s;
    }
  }
  return 0;
}
