// mandelbrot(points: N.(f32, f32)) -> N.i32 for all N
#include <stdbool.h>
#include <stdint.h>

int mandelbrot(
    int64_t N,
    const float *restrict points_1st,
    const float *restrict points_2nd,
    int32_t *restrict output
) {
  #pragma omp parallel for schedule(static) if(57 < N)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float state_1st[32];
    _Alignas(64) float state_2nd[32];
    _Alignas(64) int32_t state_3rd[32];
    for (int64_t n = 0; n < 32; n++) {
      state_1st[n] = 0.0f;
      state_2nd[n] = 0.0f;
      state_3rd[n] = 0;
    }
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      #pragma omp simd
      for (int64_t n = 0; n < 32; n++) {
        const bool is_greater = state_1st[n] * state_1st[n] + state_2nd[n] * state_2nd[n] > 4.0f;
        const float next_state_2nd = is_greater ? state_2nd[n] : 2.0f * state_1st[n] * state_2nd[n] + points_2nd[n_block * 32 + n];
        const int32_t next_state_3rd = is_greater ? state_3rd[n] : state_3rd[n] + 1;
        state_1st[n] = is_greater ? state_1st[n] : state_1st[n] * state_1st[n] - state_2nd[n] * state_2nd[n] + points_1st[n_block * 32 + n];
        state_2nd[n] = next_state_2nd;
        state_3rd[n] = next_state_3rd;
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      output[n_block * 32 + n] = state_3rd[n];
    }
  }
  for (int64_t n = 0; n < N % 32; n++) {
    float state_1st;
    float state_2nd;
    int32_t state_3rd;
    state_1st = 0.0f;
    state_2nd = 0.0f;
    state_3rd = 0;
    const int64_t at_n = n + 32 * (N / 32);
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      const bool is_greater = state_1st * state_1st + state_2nd * state_2nd > 4.0f;
      const float next_state_2nd = is_greater ? state_2nd : 2.0f * state_1st * state_2nd + points_2nd[at_n];
      const int32_t next_state_3rd = is_greater ? state_3rd : state_3rd + 1;
      state_1st = is_greater ? state_1st : state_1st * state_1st - state_2nd * state_2nd + points_1st[at_n];
      state_2nd = next_state_2nd;
      state_3rd = next_state_3rd;
    }
    output[at_n] = state_3rd;
  }
  return 0;
}
