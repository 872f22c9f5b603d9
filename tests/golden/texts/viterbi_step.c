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
  for (int64_t i = 0; i < 12; i++) {
    float acc;
    int64_t acc_1;
    acc = -INFINITY;
    acc_1 = -1LL;
    #pragma GCC unroll 12
    for (int64_t transitions_column = 0; transitions_column < 12; transitions_column++) {
      const float b = transitions[i * 12 + transitions_column] + states_1[transitions_column];
      const bool choice = b > acc;
      acc = choice ? b : acc;
      acc_1 = choice ? transitions_column : acc_1;
    }
    output_1[i] = acc + states_2[i];
    output_2[i] = acc_1;
  }
  return 0;
}
