// argmax(xs: 83.f32) -> (f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int argmax(const float *restrict xs, float *restrict output_1st, int64_t *restrict output_2nd) {
  float a_1st;
  int64_t a_2nd;
  a_1st = -INFINITY;
  a_2nd = -1LL;
  for (int64_t xs_i = 0; xs_i < 83; xs_i++) {
    const bool xs_is_greater = xs[xs_i] > a_1st;
    a_1st = xs_is_greater ? xs[xs_i] : a_1st;
    a_2nd = xs_is_greater ? xs_i : a_2nd;
  }
  output_1st[0] = a_1st;
  output_2nd[0] = a_2nd;
  return 0;
}
