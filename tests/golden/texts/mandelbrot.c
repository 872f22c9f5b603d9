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
  for (int64_t i_c_block = 0; i_c_block < N / 32; i_c_block++) {
    _Alignas(64) float state[32];
    _Alignas(64) float state_1[32];
    _Alignas(64) int32_t state_2[32];
    for (int64_t i_c = 0; i_c < 32; i_c++) {
      state[i_c] = 0.0f;
      state_1[i_c] = 0.0f;
      state_2[i_c] = 0;
    }
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      #pragma omp simd
      for (int64_t i_c = 0; i_c < 32; i_c++) {
        const bool choice = state[i_c] * state[i_c] + state_1[i_c] * state_1[i_c] > 4.0f;
        const float new_ = choice ? state[i_c] : state[i_c] * state[i_c] - state_1[i_c] * state_1[i_c] + points_1[i_c_block * 32 + i_c];
        const float new__1 = choice ? state_1[i_c] : 2.0f * state[i_c] * state_1[i_c] + points_2[i_c_block * 32 + i_c];
        const int32_t new__2 = choice ? state_2[i_c] : state_2[i_c] + 1;
        state[i_c] = new_;
        state_1[i_c] = new__1;
        state_2[i_c] = new__2;
      }
    }
    for (int64_t i_c = 0; i_c < 32; i_c++) {
      output[i_c_block * 32 + i_c] = state_2[i_c];
    }
  }
  for (int64_t i_c = 0; i_c < N % 32; i_c++) {
    float state;
    float state_1;
    int32_t state_2;
    state = 0.0f;
    state_1 = 0.0f;
    state_2 = 0;
    for (int64_t i_i = 0; i_i < 30; i_i++) {
      const bool choice = state * state + state_1 * state_1 > 4.0f;
      const float new_ = choice ? state : state * state - state_1 * state_1 + points_1[i_c + 32 * (N / 32)];
      const float new__1 = choice ? state_1 : 2.0f * state * state_1 + points_2[i_c + 32 * (N / 32)];
      const int32_t new__2 = choice ? state_2 : state_2 + 1;
      state = new_;
      state_1 = new__1;
      state_2 = new__2;
    }
    output[i_c + 32 * (N / 32)] = state_2;
  }
  return 0;
}
