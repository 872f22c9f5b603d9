// moments(xs: N.f32) -> (f32, (f32, f32)) for all N
#include <stdbool.h>
#include <stdint.h>

int moments(
    int64_t N,
    const float *restrict xs,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  float acc_1st;
  float acc_2nd;
  float acc_3rd;
  acc_1st = 0.0f;
  acc_2nd = 0.0f;
  acc_3rd = 0.0f;
  for (int64_t n = 0; n < N; n++) {
    const bool is_zero = 1.0f == 0.0f;
    const float count = acc_1st + 1.0f;
    const float apart = xs[n] - acc_2nd;
    float chosen;
    if (is_zero) {
      chosen = acc_3rd;
    } else {
      chosen = acc_3rd + 0.0f + apart * apart * (acc_1st * 1.0f / count);
    }
    acc_1st = is_zero ? acc_1st : count;
    acc_2nd = is_zero ? acc_2nd : acc_2nd + apart * (1.0f / count);
    acc_3rd = chosen;
  }
  output_1st[0] = acc_1st;
  output_2nd[0] = acc_2nd;
  output_3rd[0] = acc_3rd;
  return 0;
}
