// argmax(xs: 83.f32) -> (f32, i64)
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

int argmax(const float *restrict xs, float *restrict output_1, int64_t *restrict output_2) {
  float a;
  int64_t a_1;
  float acc;
  int64_t acc_1;
  _Alignas(64) float stored[1];
  _Alignas(64) int64_t stored_1[1];
  float a_2;
  int64_t a_3;
  a_2 = -INFINITY;
  a_3 = -1LL;
  acc = a_2;
  acc_1 = a_3;
  a = acc;
  a_1 = acc_1;
  for (int64_t xs_i = 0; xs_i < 83; xs_i++) {
    const bool choice = xs[xs_i] > a;
    a = choice ? xs[xs_i] : a;
    a_1 = choice ? xs_i : a_1;
  }
  output_1[0] = a;
  output_2[0] = a_1;
  return 0;
}
