// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
#include <stdint.h>

int mean_variance(
    double share,
    const double *restrict xs,
    double *restrict output_1st,
    double *restrict output_2nd
) {
  double x_for_mean;
  x_for_mean = 0.0;
  _Alignas(64) double sums_for_mean[32];
  _Alignas(64) double acc_from_xs[32];
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    acc_from_xs[xs_i] = 0.0;
  }
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    acc_from_xs[xs_i] = acc_from_xs[xs_i] + xs[xs_i];
  }
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    const double padded_xs = xs_i < 8 ? xs[xs_i + 32] : 0.0;
    sums_for_mean[xs_i] = padded_xs + acc_from_xs[xs_i];
  }
  double sum_for_mean;
  sum_for_mean = 0.0;
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    sum_for_mean = sum_for_mean + sums_for_mean[xs_i];
  }
  const double mean = share * (x_for_mean + sum_for_mean);
  double x;
  x = 0.0;
  _Alignas(64) double sums[32];
  _Alignas(64) double acc_from_d[32];
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    acc_from_d[xs_i] = 0.0;
  }
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    const double d = xs[xs_i] - mean;
    acc_from_d[xs_i] = acc_from_d[xs_i] + d * d;
  }
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    double chosen;
    if (xs_i < 8) {
      const double d = xs[xs_i + 32] - mean;
      chosen = d * d;
    } else {
      chosen = 0.0;
    }
    sums[xs_i] = chosen + acc_from_d[xs_i];
  }
  double sum;
  sum = 0.0;
  for (int64_t xs_i = 0; xs_i < 32; xs_i++) {
    sum = sum + sums[xs_i];
  }
  output_1st[0] = mean;
  output_2nd[0] = share * (x + sum);
  return 0;
}
