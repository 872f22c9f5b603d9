// viterbi_step(transitions: 12.12.f32, states: 12.(f32, f32)) -> 12.(f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int viterbi_step(
    const float *restrict transitions,
    const float *restrict states_1st,
    const float *restrict states_2nd,
    float *restrict output_1st,
    int64_t *restrict output_2nd
) {
  for (int64_t i = 0; i < 12; i++) {
    float best_1st;
    int64_t best_2nd;
    best_1st = -INFINITY;
    best_2nd = -1LL;
    #pragma GCC unroll 12
    for (int64_t transitions_column = 0; transitions_column < 12; transitions_column++) {
      const float sum = transitions[i * 12 + transitions_column] + states_1st[transitions_column];
      const bool sum_is_greater = sum > best_1st;
      best_1st = sum_is_greater ? sum : best_1st;
      best_2nd = sum_is_greater ? transitions_column : best_2nd;
    }
    output_1st[i] = best_1st + states_2nd[i];
    output_2nd[i] = best_2nd;
  }
  return 0;
}
