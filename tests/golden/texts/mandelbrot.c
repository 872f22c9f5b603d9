// mandelbrot(points: N.(f32, f32)) -> N.i32 for all N
#include <stdbool.h>
#include <stdint.h>

int mandelbrot(
    int64_t N,
    const float *restrict points_1,
    const float *restrict points_2,
    int32_t *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n_block = 0; n_block < N / 32; n_block++) {
    _Alignas(64) float state[32];
    _Alignas(64) float state_1[32];
    _Alignas(64) int32_t state_2[32];
    for (int64_t n = 0; n < 32; n++) {
      state[n] = 0.0f;
      state_1[n] = 0.0f;
      state_2[n] = 0;
    }
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      #pragma omp simd
      for (int64_t n = 0; n < 32; n++) {
        const bool choice = state[n] * state[n] + state_1[n] * state_1[n] > 4.0f;
        const float new_ = choice ? state[n] : state[n] * state[n] - state_1[n] * state_1[n] + points_1[n_block * 32 + n];
        const float new__1 = choice ? state_1[n] : 2.0f * state[n] * state_1[n] + points_2[n_block * 32 + n];
        const int32_t new__2 = choice ? state_2[n] : state_2[n] + 1;
        state[n] = new_;
        state_1[n] = new__1;
        state_2[n] = new__2;
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      output[n_block * 32 + n] = state_2[n];
    }
  }
  for (int64_t n = 0; n < N % 32; n++) {
    float state;
    float state_1;
    int32_t state_2;
    state = 0.0f;
    state_1 = 0.0f;
    state_2 = 0;
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      const bool choice = state * state + state_1 * state_1 > 4.0f;
      const float new_ = choice ? state : state * state - state_1 * state_1 + points_1[n + 32 * (N / 32)];
      const float new__1 = choice ? state_1 : 2.0f * state * state_1 + points_2[n + 32 * (N / 32)];
      const int32_t new__2 = choice ? state_2 : state_2 + 1;
      state = new_;
      state_1 = new__1;
      state_2 = new__2;
    }
    output[n + 32 * (N / 32)] = state_2;
  }
  return 0;
}
