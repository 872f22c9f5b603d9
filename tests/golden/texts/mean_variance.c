// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
#include <stdint.h>

int mean_variance(
    double share,
    const double *restrict xs,
    double *restrict output_1st,
    double *restrict output_2nd
) {
  double sum_for_mean;
  _Alignas(64) double stored[1];
  sum_for_mean = 0.0;
  for (int64_t xs_i = 0; xs_i < 40; xs_i++) {
    sum_for_mean = sum_for_mean + xs[xs_i];
  }
  const double mean = share * sum_for_mean;
  double sum;
  _Alignas(64) double stored_1[1];
  sum = 0.0;
  for (int64_t xs_i = 0; xs_i < 40; xs_i++) {
    const double d = xs[xs_i] - mean;
    sum = sum + d * d;
  }
  output_1st[0] = mean;
  output_2nd[0] = share * sum;
  return 0;
}
