// moments(xs: N.f32) -> (f32, (f32, f32)) for all N
#include <stdbool.h>
#include <stdint.h>

int moments(
    int64_t N,
    const float *restrict xs,
    float *restrict output_1,
    float *restrict output_2,
    float *restrict output_3
) {
  float acc;
  float acc_1;
  float acc_2;
  acc = 0.0f;
  acc_1 = 0.0f;
  acc_2 = 0.0f;
  for (int64_t n = 0; n < N; n++) {
    const bool choice = 1.0f == 0.0f;
    const float count = acc + 1.0f;
    const float apart = xs[n] - acc_1;
    const int64_t at = (choice ? 1 : 0);
    float chosen;
    if (0 < at) {
      chosen = acc_2;
    }
    if (at < 1) {
      const float x = acc_2 + 0.0f + apart * apart * (acc * 1.0f / count);
      chosen = x;
    }
    acc = choice ? acc : count;
    acc_1 = choice ? acc_1 : acc_1 + apart * (1.0f / count);
    acc_2 = chosen;
  }
  output_1[0] = acc;
  output_2[0] = acc_1;
  output_3[0] = acc_2;
  return 0;
}
