// viterbi_step(transitions: 12.12.f32, states: 12.(f32, f32)) -> 12.(f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int viterbi_step(
    const float *restrict transitions,
    const float *restrict states_1,
    const float *restrict states_2,
    float *restrict output_1,
    int64_t *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 12; i_p++) {
    float acc;
    int64_t acc_1;
    acc = -INFINITY;
    acc_1 = -1LL;
    #pragma GCC unroll 12
    for (int64_t i_x = 0; i_x < 12; i_x++) {
      const float b_1 = transitions[i_p * 12 + i_x] + states_1[i_x];
      const bool choice = b_1 > acc;
      acc = choice ? b_1 : acc;
      acc_1 = choice ? i_x : acc_1;
    }
    output_1[i_p] = acc + states_2[i_p];
    output_2[i_p] = acc_1;
  }
  return 0;
}
