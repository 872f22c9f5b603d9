// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) mean_variance(
    const double* __restrict__ xs,
    double* __restrict__ sum_for_mean,
    double* __restrict__ sum,
    double* __restrict__ output_1st,
    double* __restrict__ output_2nd,
    const double share
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) double sums_for_mean_over63[8];
  double* const sums_over63 = sums_for_mean_over63;
  __shared__ __align__(16) double sums_for_mean_over31[8];
  double* const sums_over31 = sums_for_mean_over31;
  double sum_for_mean_by_warp1_over65;
  double sum_for_mean_by_warp2_over65;
  double sum_for_mean_by_warp4_over63;
  double sum_for_mean_by_warp1_over33;
  double sum_for_mean_by_warp2_over33;
  double sum_for_mean_by_warp4_over31;
  double sum_for_mean_by_lane1_over31;
  double sum_for_mean_by_lane2_over31;
  double sum_for_mean_by_lane4_over29;
  double sum_for_mean_by_lane8_over25;
  double sum_for_mean_by_lane16_over17;
  double sum_for_mean_by_lane32_over1;
  sum_for_mean_by_lane32_over1 = 0.0;
  for (int xs_i_strip = 0; xs_i_strip < 8; xs_i_strip++) {
    const int at_xs_i = warp * 32 + lane + xs_i_strip * 256;
    sum_for_mean_by_lane32_over1 = sum_for_mean_by_lane32_over1 + (at_xs_i < 40 ? xs[at_xs_i] : 0.0);
  }
  const double other_sum_for_mean_by_lane32_over1 = __shfl_sync(0xffffffff, sum_for_mean_by_lane32_over1, lane + 16);
  if (lane < 16) {
    sum_for_mean_by_lane16_over17 = sum_for_mean_by_lane32_over1 + other_sum_for_mean_by_lane32_over1;
  }
  const double other_sum_for_mean_by_lane16_over17 = __shfl_sync(0xffffffff, sum_for_mean_by_lane16_over17, lane + 8);
  if (lane < 8) {
    sum_for_mean_by_lane8_over25 = sum_for_mean_by_lane16_over17 + other_sum_for_mean_by_lane16_over17;
  }
  const double other_sum_for_mean_by_lane8_over25 = __shfl_sync(0xffffffff, sum_for_mean_by_lane8_over25, lane + 4);
  if (lane < 4) {
    sum_for_mean_by_lane4_over29 = sum_for_mean_by_lane8_over25 + other_sum_for_mean_by_lane8_over25;
  }
  const double other_sum_for_mean_by_lane4_over29 = __shfl_sync(0xffffffff, sum_for_mean_by_lane4_over29, lane + 2);
  if (lane < 2) {
    sum_for_mean_by_lane2_over31 = sum_for_mean_by_lane4_over29 + other_sum_for_mean_by_lane4_over29;
  }
  const double other0_sum_for_mean_by_lane2_over31 = __shfl_sync(0xffffffff, sum_for_mean_by_lane2_over31, 0);
  const double other1_sum_for_mean_by_lane2_over31 = __shfl_sync(0xffffffff, sum_for_mean_by_lane2_over31, 1);
  sum_for_mean_by_lane1_over31 = other0_sum_for_mean_by_lane2_over31 + other1_sum_for_mean_by_lane2_over31;
  if (lane < 1) {
    sums_for_mean_over31[warp] = sum_for_mean_by_lane1_over31;
  }
  __syncthreads();
  if (lane < 4) {
    sum_for_mean_by_warp4_over31 = sums_for_mean_over31[lane] + sums_for_mean_over31[lane + 4];
  }
  const double other_sum_for_mean_by_warp4_over31 = __shfl_sync(0xffffffff, sum_for_mean_by_warp4_over31, lane + 2);
  if (lane < 2) {
    sum_for_mean_by_warp2_over33 = sum_for_mean_by_warp4_over31 + other_sum_for_mean_by_warp4_over31;
  }
  const double other0_sum_for_mean_by_warp2_over33 = __shfl_sync(0xffffffff, sum_for_mean_by_warp2_over33, 0);
  const double other1_sum_for_mean_by_warp2_over33 = __shfl_sync(0xffffffff, sum_for_mean_by_warp2_over33, 1);
  sum_for_mean_by_warp1_over33 = other0_sum_for_mean_by_warp2_over33 + other1_sum_for_mean_by_warp2_over33;
  if (threadIdx.x < 1) {
    sum_for_mean[0] = sum_for_mean_by_warp1_over33;
  }
  double sum_for_mean_by_lane1_over63;
  double sum_for_mean_by_lane2_over63;
  double sum_for_mean_by_lane4_over61;
  double sum_for_mean_by_lane8_over57;
  double sum_for_mean_by_lane16_over49;
  double sum_for_mean_by_lane32_over33;
  sum_for_mean_by_lane32_over33 = 0.0;
  sum_for_mean_by_lane32_over33 = sum_for_mean_by_lane32_over33 + (warp * 32 + lane < 1 ? sum_for_mean[warp * 32 + lane] : 0.0);
  const double other_sum_for_mean_by_lane32_over33 = __shfl_sync(0xffffffff, sum_for_mean_by_lane32_over33, lane + 16);
  if (lane < 16) {
    sum_for_mean_by_lane16_over49 = sum_for_mean_by_lane32_over33 + other_sum_for_mean_by_lane32_over33;
  }
  const double other_sum_for_mean_by_lane16_over49 = __shfl_sync(0xffffffff, sum_for_mean_by_lane16_over49, lane + 8);
  if (lane < 8) {
    sum_for_mean_by_lane8_over57 = sum_for_mean_by_lane16_over49 + other_sum_for_mean_by_lane16_over49;
  }
  const double other_sum_for_mean_by_lane8_over57 = __shfl_sync(0xffffffff, sum_for_mean_by_lane8_over57, lane + 4);
  if (lane < 4) {
    sum_for_mean_by_lane4_over61 = sum_for_mean_by_lane8_over57 + other_sum_for_mean_by_lane8_over57;
  }
  const double other_sum_for_mean_by_lane4_over61 = __shfl_sync(0xffffffff, sum_for_mean_by_lane4_over61, lane + 2);
  if (lane < 2) {
    sum_for_mean_by_lane2_over63 = sum_for_mean_by_lane4_over61 + other_sum_for_mean_by_lane4_over61;
  }
  const double other0_sum_for_mean_by_lane2_over63 = __shfl_sync(0xffffffff, sum_for_mean_by_lane2_over63, 0);
  const double other1_sum_for_mean_by_lane2_over63 = __shfl_sync(0xffffffff, sum_for_mean_by_lane2_over63, 1);
  sum_for_mean_by_lane1_over63 = other0_sum_for_mean_by_lane2_over63 + other1_sum_for_mean_by_lane2_over63;
  if (lane < 1) {
    sums_for_mean_over63[warp] = sum_for_mean_by_lane1_over63;
  }
  __syncthreads();
  if (lane < 4) {
    sum_for_mean_by_warp4_over63 = sums_for_mean_over63[lane] + sums_for_mean_over63[lane + 4];
  }
  const double other_sum_for_mean_by_warp4_over63 = __shfl_sync(0xffffffff, sum_for_mean_by_warp4_over63, lane + 2);
  if (lane < 2) {
    sum_for_mean_by_warp2_over65 = sum_for_mean_by_warp4_over63 + other_sum_for_mean_by_warp4_over63;
  }
  const double other0_sum_for_mean_by_warp2_over65 = __shfl_sync(0xffffffff, sum_for_mean_by_warp2_over65, 0);
  const double other1_sum_for_mean_by_warp2_over65 = __shfl_sync(0xffffffff, sum_for_mean_by_warp2_over65, 1);
  sum_for_mean_by_warp1_over65 = other0_sum_for_mean_by_warp2_over65 + other1_sum_for_mean_by_warp2_over65;
  const double mean = share * sum_for_mean_by_warp1_over65;
  double sum_by_warp1_over65;
  double sum_by_warp2_over65;
  double sum_by_warp4_over63;
  double sum_by_warp1_over33;
  double sum_by_warp2_over33;
  double sum_by_warp4_over31;
  double sum_by_lane1_over31;
  double sum_by_lane2_over31;
  double sum_by_lane4_over29;
  double sum_by_lane8_over25;
  double sum_by_lane16_over17;
  double sum_by_lane32_over1;
  sum_by_lane32_over1 = 0.0;
  for (int xs_i_strip = 0; xs_i_strip < 8; xs_i_strip++) {
    double chosen;
    const int at_xs_i = warp * 32 + lane + xs_i_strip * 256;
    if (at_xs_i < 40) {
      const double d = xs[at_xs_i] - mean;
      chosen = d * d;
    } else {
      chosen = 0.0;
    }
    sum_by_lane32_over1 = sum_by_lane32_over1 + chosen;
  }
  const double other_sum_by_lane32_over1 = __shfl_sync(0xffffffff, sum_by_lane32_over1, lane + 16);
  if (lane < 16) {
    sum_by_lane16_over17 = sum_by_lane32_over1 + other_sum_by_lane32_over1;
  }
  const double other_sum_by_lane16_over17 = __shfl_sync(0xffffffff, sum_by_lane16_over17, lane + 8);
  if (lane < 8) {
    sum_by_lane8_over25 = sum_by_lane16_over17 + other_sum_by_lane16_over17;
  }
  const double other_sum_by_lane8_over25 = __shfl_sync(0xffffffff, sum_by_lane8_over25, lane + 4);
  if (lane < 4) {
    sum_by_lane4_over29 = sum_by_lane8_over25 + other_sum_by_lane8_over25;
  }
  const double other_sum_by_lane4_over29 = __shfl_sync(0xffffffff, sum_by_lane4_over29, lane + 2);
  if (lane < 2) {
    sum_by_lane2_over31 = sum_by_lane4_over29 + other_sum_by_lane4_over29;
  }
  const double other0_sum_by_lane2_over31 = __shfl_sync(0xffffffff, sum_by_lane2_over31, 0);
  const double other1_sum_by_lane2_over31 = __shfl_sync(0xffffffff, sum_by_lane2_over31, 1);
  sum_by_lane1_over31 = other0_sum_by_lane2_over31 + other1_sum_by_lane2_over31;
  if (lane < 1) {
    sums_over31[warp] = sum_by_lane1_over31;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4_over31 = sums_over31[lane] + sums_over31[lane + 4];
  }
  const double other_sum_by_warp4_over31 = __shfl_sync(0xffffffff, sum_by_warp4_over31, lane + 2);
  if (lane < 2) {
    sum_by_warp2_over33 = sum_by_warp4_over31 + other_sum_by_warp4_over31;
  }
  const double other0_sum_by_warp2_over33 = __shfl_sync(0xffffffff, sum_by_warp2_over33, 0);
  const double other1_sum_by_warp2_over33 = __shfl_sync(0xffffffff, sum_by_warp2_over33, 1);
  sum_by_warp1_over33 = other0_sum_by_warp2_over33 + other1_sum_by_warp2_over33;
  if (threadIdx.x < 1) {
    sum[0] = sum_by_warp1_over33;
  }
  double sum_by_lane1_over63;
  double sum_by_lane2_over63;
  double sum_by_lane4_over61;
  double sum_by_lane8_over57;
  double sum_by_lane16_over49;
  double sum_by_lane32_over33;
  sum_by_lane32_over33 = 0.0;
  sum_by_lane32_over33 = sum_by_lane32_over33 + (warp * 32 + lane < 1 ? sum[warp * 32 + lane] : 0.0);
  const double other_sum_by_lane32_over33 = __shfl_sync(0xffffffff, sum_by_lane32_over33, lane + 16);
  if (lane < 16) {
    sum_by_lane16_over49 = sum_by_lane32_over33 + other_sum_by_lane32_over33;
  }
  const double other_sum_by_lane16_over49 = __shfl_sync(0xffffffff, sum_by_lane16_over49, lane + 8);
  if (lane < 8) {
    sum_by_lane8_over57 = sum_by_lane16_over49 + other_sum_by_lane16_over49;
  }
  const double other_sum_by_lane8_over57 = __shfl_sync(0xffffffff, sum_by_lane8_over57, lane + 4);
  if (lane < 4) {
    sum_by_lane4_over61 = sum_by_lane8_over57 + other_sum_by_lane8_over57;
  }
  const double other_sum_by_lane4_over61 = __shfl_sync(0xffffffff, sum_by_lane4_over61, lane + 2);
  if (lane < 2) {
    sum_by_lane2_over63 = sum_by_lane4_over61 + other_sum_by_lane4_over61;
  }
  const double other0_sum_by_lane2_over63 = __shfl_sync(0xffffffff, sum_by_lane2_over63, 0);
  const double other1_sum_by_lane2_over63 = __shfl_sync(0xffffffff, sum_by_lane2_over63, 1);
  sum_by_lane1_over63 = other0_sum_by_lane2_over63 + other1_sum_by_lane2_over63;
  if (lane < 1) {
    sums_over63[warp] = sum_by_lane1_over63;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4_over63 = sums_over63[lane] + sums_over63[lane + 4];
  }
  const double other_sum_by_warp4_over63 = __shfl_sync(0xffffffff, sum_by_warp4_over63, lane + 2);
  if (lane < 2) {
    sum_by_warp2_over65 = sum_by_warp4_over63 + other_sum_by_warp4_over63;
  }
  const double other0_sum_by_warp2_over65 = __shfl_sync(0xffffffff, sum_by_warp2_over65, 0);
  const double other1_sum_by_warp2_over65 = __shfl_sync(0xffffffff, sum_by_warp2_over65, 1);
  sum_by_warp1_over65 = other0_sum_by_warp2_over65 + other1_sum_by_warp2_over65;
  if (threadIdx.x < 1) {
    output_1st[0] = mean;
    output_2nd[0] = share * sum_by_warp1_over65;
  }
}
