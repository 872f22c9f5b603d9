// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) mean_variance(
    const double* __restrict__ xs,
    double* __restrict__ mean,
    double* __restrict__ sum_over33,
    double* __restrict__ output_1st,
    double* __restrict__ output_2nd,
    const double share
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) double mean_for_mean_by_warp8[8];
  double* const sums_over63 = mean_for_mean_by_warp8;
  __shared__ __align__(16) double mean_by_warp8[8];
  double* const sums_over31 = mean_by_warp8;
  double mean_for_mean_by_warp1;
  double mean_for_mean_by_warp2;
  double mean_for_mean_by_warp4;
  double mean_by_warp1;
  double mean_by_warp2;
  double mean_by_warp4;
  double mean_by_lane1;
  double mean_by_lane2;
  double mean_by_lane4;
  double mean_by_lane8;
  double mean_by_lane16;
  double mean_by_lane32;
  mean_by_lane32 = 0.0;
  for (int xs_i_strip = 0; xs_i_strip < 8; xs_i_strip++) {
    const int at_xs_i = xs_i_strip * 256 + warp * 32 + lane;
    mean_by_lane32 = mean_by_lane32 + (at_xs_i < 40 ? xs[at_xs_i] : 0.0);
  }
  const double other_mean_by_lane32 = __shfl_sync(0xffffffff, mean_by_lane32, lane + 16);
  if (lane < 16) {
    mean_by_lane16 = mean_by_lane32 + other_mean_by_lane32;
  }
  const double other_mean_by_lane16 = __shfl_sync(0xffffffff, mean_by_lane16, lane + 8);
  if (lane < 8) {
    mean_by_lane8 = mean_by_lane16 + other_mean_by_lane16;
  }
  const double other_mean_by_lane8 = __shfl_sync(0xffffffff, mean_by_lane8, lane + 4);
  if (lane < 4) {
    mean_by_lane4 = mean_by_lane8 + other_mean_by_lane8;
  }
  const double other_mean_by_lane4 = __shfl_sync(0xffffffff, mean_by_lane4, lane + 2);
  if (lane < 2) {
    mean_by_lane2 = mean_by_lane4 + other_mean_by_lane4;
  }
  const double other0_mean_by_lane2 = __shfl_sync(0xffffffff, mean_by_lane2, 0);
  const double other1_mean_by_lane2 = __shfl_sync(0xffffffff, mean_by_lane2, 1);
  mean_by_lane1 = other0_mean_by_lane2 + other1_mean_by_lane2;
  double mean_of_warp;
  mean_of_warp = 0.0;
  mean_of_warp = mean_of_warp + mean_by_lane1;
  if (lane < 1) {
    mean_by_warp8[warp] = mean_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    mean_by_warp4 = mean_by_warp8[lane] + mean_by_warp8[lane + 4];
  }
  const double other_mean_by_warp4 = __shfl_sync(0xffffffff, mean_by_warp4, lane + 2);
  if (lane < 2) {
    mean_by_warp2 = mean_by_warp4 + other_mean_by_warp4;
  }
  const double other0_mean_by_warp2 = __shfl_sync(0xffffffff, mean_by_warp2, 0);
  const double other1_mean_by_warp2 = __shfl_sync(0xffffffff, mean_by_warp2, 1);
  mean_by_warp1 = other0_mean_by_warp2 + other1_mean_by_warp2;
  double mean_from_other0_mean_by_warp2;
  mean_from_other0_mean_by_warp2 = 0.0;
  mean_from_other0_mean_by_warp2 = mean_from_other0_mean_by_warp2 + mean_by_warp1;
  if (threadIdx.x < 1) {
    mean[0] = mean_from_other0_mean_by_warp2;
  }
  double mean_for_mean_by_lane1;
  double mean_for_mean_by_lane2;
  double mean_for_mean_by_lane4;
  double mean_for_mean_by_lane8;
  double mean_for_mean_by_lane16;
  double mean_for_mean_by_lane32;
  mean_for_mean_by_lane32 = 0.0;
  mean_for_mean_by_lane32 = mean_for_mean_by_lane32 + (warp * 32 + lane < 1 ? mean[warp * 32 + lane] : 0.0);
  const double other_mean_for_mean_by_lane32 = __shfl_sync(0xffffffff, mean_for_mean_by_lane32, lane + 16);
  if (lane < 16) {
    mean_for_mean_by_lane16 = mean_for_mean_by_lane32 + other_mean_for_mean_by_lane32;
  }
  const double other_mean_for_mean_by_lane16 = __shfl_sync(0xffffffff, mean_for_mean_by_lane16, lane + 8);
  if (lane < 8) {
    mean_for_mean_by_lane8 = mean_for_mean_by_lane16 + other_mean_for_mean_by_lane16;
  }
  const double other_mean_for_mean_by_lane8 = __shfl_sync(0xffffffff, mean_for_mean_by_lane8, lane + 4);
  if (lane < 4) {
    mean_for_mean_by_lane4 = mean_for_mean_by_lane8 + other_mean_for_mean_by_lane8;
  }
  const double other_mean_for_mean_by_lane4 = __shfl_sync(0xffffffff, mean_for_mean_by_lane4, lane + 2);
  if (lane < 2) {
    mean_for_mean_by_lane2 = mean_for_mean_by_lane4 + other_mean_for_mean_by_lane4;
  }
  const double other0_mean_for_mean_by_lane2 = __shfl_sync(0xffffffff, mean_for_mean_by_lane2, 0);
  const double other1_mean_for_mean_by_lane2 = __shfl_sync(0xffffffff, mean_for_mean_by_lane2, 1);
  mean_for_mean_by_lane1 = other0_mean_for_mean_by_lane2 + other1_mean_for_mean_by_lane2;
  double mean_for_mean_of_warp;
  mean_for_mean_of_warp = 0.0;
  mean_for_mean_of_warp = mean_for_mean_of_warp + mean_for_mean_by_lane1;
  if (lane < 1) {
    mean_for_mean_by_warp8[warp] = mean_for_mean_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    mean_for_mean_by_warp4 = mean_for_mean_by_warp8[lane] + mean_for_mean_by_warp8[lane + 4];
  }
  const double other_mean_for_mean_by_warp4 = __shfl_sync(0xffffffff, mean_for_mean_by_warp4, lane + 2);
  if (lane < 2) {
    mean_for_mean_by_warp2 = mean_for_mean_by_warp4 + other_mean_for_mean_by_warp4;
  }
  const double other0_mean_for_mean_by_warp2 = __shfl_sync(0xffffffff, mean_for_mean_by_warp2, 0);
  const double other1_mean_for_mean_by_warp2 = __shfl_sync(0xffffffff, mean_for_mean_by_warp2, 1);
  mean_for_mean_by_warp1 = other0_mean_for_mean_by_warp2 + other1_mean_for_mean_by_warp2;
  double sum_for_mean;
  sum_for_mean = 0.0;
  sum_for_mean = sum_for_mean + mean_for_mean_by_warp1;
  const double mean_from_share = share * sum_for_mean;
  double sum_by_warp1_over65;
  double sum_by_warp2_over65;
  double sum_by_warp4_over63;
  double sum_by_warp1_over33;
  double sum_by_warp2_over33;
  double sum_by_warp4_over31;
  double sum_by_lane1;
  double sum_by_lane2;
  double sum_by_lane4;
  double sum_by_lane8;
  double sum_by_lane16;
  double sum_by_lane32;
  sum_by_lane32 = 0.0;
  for (int xs_i_strip = 0; xs_i_strip < 8; xs_i_strip++) {
    double chosen;
    const int at_xs_i = xs_i_strip * 256 + warp * 32 + lane;
    if (at_xs_i < 40) {
      const double d = xs[at_xs_i] - mean_from_share;
      chosen = d * d;
    } else {
      chosen = 0.0;
    }
    sum_by_lane32 = sum_by_lane32 + chosen;
  }
  const double other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const double other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const double other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const double other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const double other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const double other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  double sum_of_warp;
  sum_of_warp = 0.0;
  sum_of_warp = sum_of_warp + sum_by_lane1;
  if (lane < 1) {
    sums_over31[warp] = sum_of_warp;
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
  double sum_over33_from_sum_by_warp1_over33;
  sum_over33_from_sum_by_warp1_over33 = 0.0;
  sum_over33_from_sum_by_warp1_over33 = sum_over33_from_sum_by_warp1_over33 + sum_by_warp1_over33;
  if (threadIdx.x < 1) {
    sum_over33[0] = sum_over33_from_sum_by_warp1_over33;
  }
  double sum_by_lane1_1;
  double sum_by_lane2_1;
  double sum_by_lane4_1;
  double sum_by_lane8_1;
  double sum_by_lane16_1;
  double sum_by_lane32_1;
  sum_by_lane32_1 = 0.0;
  sum_by_lane32_1 = sum_by_lane32_1 + (warp * 32 + lane < 1 ? sum_over33[warp * 32 + lane] : 0.0);
  const double other_sum_by_lane32_1 = __shfl_sync(0xffffffff, sum_by_lane32_1, lane + 16);
  if (lane < 16) {
    sum_by_lane16_1 = sum_by_lane32_1 + other_sum_by_lane32_1;
  }
  const double other_sum_by_lane16_1 = __shfl_sync(0xffffffff, sum_by_lane16_1, lane + 8);
  if (lane < 8) {
    sum_by_lane8_1 = sum_by_lane16_1 + other_sum_by_lane16_1;
  }
  const double other_sum_by_lane8_1 = __shfl_sync(0xffffffff, sum_by_lane8_1, lane + 4);
  if (lane < 4) {
    sum_by_lane4_1 = sum_by_lane8_1 + other_sum_by_lane8_1;
  }
  const double other_sum_by_lane4_1 = __shfl_sync(0xffffffff, sum_by_lane4_1, lane + 2);
  if (lane < 2) {
    sum_by_lane2_1 = sum_by_lane4_1 + other_sum_by_lane4_1;
  }
  const double other0_sum_by_lane2_1 = __shfl_sync(0xffffffff, sum_by_lane2_1, 0);
  const double other1_sum_by_lane2_1 = __shfl_sync(0xffffffff, sum_by_lane2_1, 1);
  sum_by_lane1_1 = other0_sum_by_lane2_1 + other1_sum_by_lane2_1;
  double sum_of_warp_1;
  sum_of_warp_1 = 0.0;
  sum_of_warp_1 = sum_of_warp_1 + sum_by_lane1_1;
  if (lane < 1) {
    sums_over63[warp] = sum_of_warp_1;
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
  double sum_over65;
  sum_over65 = 0.0;
  sum_over65 = sum_over65 + sum_by_warp1_over65;
  if (threadIdx.x < 1) {
    output_1st[0] = mean_from_share;
    output_2nd[0] = share * sum_over65;
  }
}
