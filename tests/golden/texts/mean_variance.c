// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
#include <stdint.h>

int mean_variance(
    double share,
    const double *restrict xs,
    double *restrict output_1,
    double *restrict output_2
) {
  double x;
  _Alignas(64) double stored[1];
  double x_1;
  x_1 = 0.0;
  x = x_1;
  for (int64_t xs_i = 0; xs_i < 40; xs_i++) {
    x = x + xs[xs_i];
  }
  const double mean = share * x;
  double x_2;
  _Alignas(64) double stored_1[1];
  double x_3;
  x_3 = 0.0;
  x_2 = x_3;
  for (int64_t xs_i = 0; xs_i < 40; xs_i++) {
    const double d = xs[xs_i] - mean;
    x_2 = x_2 + d * d;
  }
  output_1[0] = mean;
  output_2[0] = share * x_2;
  return 0;
}
