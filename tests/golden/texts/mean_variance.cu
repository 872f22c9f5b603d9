// mean_variance(share: f64, xs: 40.f64) -> (f64, f64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) mean_variance(
    const double* __restrict__ xs,
    double* __restrict__ mean_4,
    double* __restrict__ stored_20,
    double* __restrict__ output_1,
    double* __restrict__ output_2,
    const double share
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) double mean_3[8];
  __shared__ __align__(16) double stored_3[8];
  __shared__ __align__(16) double stored_19[8];
  __shared__ __align__(16) double stored_24[8];
  const double share_1 = share;
  double mean;
  double mean_1;
  double mean_2;
  double stored;
  double stored_1;
  double stored_2;
  double stored_4;
  double stored_5;
  double stored_6;
  double stored_7;
  double stored_8;
  double stored_9;
  double x;
  x = 0.0;
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    x = x + (i_x_1 * 256 + warp * 32 + lane < 40 ? xs[i_x_1 * 256 + warp * 32 + lane] : 0.0);
  }
  stored_9 = x;
  const double stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_9_of_lane;
  }
  const double stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_8_of_lane;
  }
  const double stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_7_of_lane;
  }
  const double stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_6_of_lane;
  }
  const double stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, 0);
  const double stored_5_of_lane_1 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_5_of_lane + stored_5_of_lane_1;
  double x_1;
  x_1 = 0.0;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    const int once = lane;
    stored_3[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = stored_3[i_p_4] + stored_3[i_p_4 + 4];
  }
  const double stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_2_of_lane;
  }
  const double stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const double stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane + stored_1_of_lane_1;
  double x_2;
  x_2 = 0.0;
  x_2 = x_2 + stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    mean_4[0] = x_2;
  }
  double stored_10;
  double stored_11;
  double stored_12;
  double stored_13;
  double stored_14;
  double stored_15;
  double x_3;
  x_3 = 0.0;
  x_3 = x_3 + (warp * 32 + lane < 1 ? mean_4[warp * 32 + lane] : 0.0);
  stored_15 = x_3;
  const double stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, lane + 16);
  if (lane < 16) {
    stored_14 = stored_15 + stored_15_of_lane;
  }
  const double stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 8);
  if (lane < 8) {
    stored_13 = stored_14 + stored_14_of_lane;
  }
  const double stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 4);
  if (lane < 4) {
    stored_12 = stored_13 + stored_13_of_lane;
  }
  const double stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = stored_12 + stored_12_of_lane;
  }
  const double stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const double stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = stored_11_of_lane + stored_11_of_lane_1;
  double x_4;
  x_4 = 0.0;
  x_4 = x_4 + stored_10;
  if (lane < 1) {
    const int once_2 = lane;
    mean_3[warp] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    mean_2 = mean_3[i_p_10] + mean_3[i_p_10 + 4];
  }
  const double mean_2_of_lane = __shfl_sync(0xffffffff, mean_2, lane + 2);
  if (lane < 2) {
    mean_1 = mean_2 + mean_2_of_lane;
  }
  const double mean_1_of_lane = __shfl_sync(0xffffffff, mean_1, 0);
  const double mean_1_of_lane_1 = __shfl_sync(0xffffffff, mean_1, 1);
  mean = mean_1_of_lane + mean_1_of_lane_1;
  double x_5;
  x_5 = 0.0;
  x_5 = x_5 + mean;
  const double mean_5 = share_1 * x_5;
  double stored_16;
  double stored_17;
  double stored_18;
  double stored_21;
  double stored_22;
  double stored_23;
  double stored_25;
  double stored_26;
  double stored_27;
  double stored_28;
  double stored_29;
  double stored_30;
  double x_6;
  x_6 = 0.0;
  for (int i_x_4 = 0; i_x_4 < 8; i_x_4++) {
    double chosen;
    if (i_x_4 * 256 + warp * 32 + lane < 40) {
      const double d = xs[i_x_4 * 256 + warp * 32 + lane] - mean_5;
      chosen = d * d;
    }
    if (39 < i_x_4 * 256 + warp * 32 + lane) {
      chosen = 0.0;
    }
    x_6 = x_6 + chosen;
  }
  stored_30 = x_6;
  const double stored_30_of_lane = __shfl_sync(0xffffffff, stored_30, lane + 16);
  if (lane < 16) {
    stored_29 = stored_30 + stored_30_of_lane;
  }
  const double stored_29_of_lane = __shfl_sync(0xffffffff, stored_29, lane + 8);
  if (lane < 8) {
    stored_28 = stored_29 + stored_29_of_lane;
  }
  const double stored_28_of_lane = __shfl_sync(0xffffffff, stored_28, lane + 4);
  if (lane < 4) {
    stored_27 = stored_28 + stored_28_of_lane;
  }
  const double stored_27_of_lane = __shfl_sync(0xffffffff, stored_27, lane + 2);
  if (lane < 2) {
    stored_26 = stored_27 + stored_27_of_lane;
  }
  const double stored_26_of_lane = __shfl_sync(0xffffffff, stored_26, 0);
  const double stored_26_of_lane_1 = __shfl_sync(0xffffffff, stored_26, 1);
  stored_25 = stored_26_of_lane + stored_26_of_lane_1;
  double x_7;
  x_7 = 0.0;
  x_7 = x_7 + stored_25;
  if (lane < 1) {
    const int once_3 = lane;
    stored_24[warp] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_16 = lane;
    stored_23 = stored_24[i_p_16] + stored_24[i_p_16 + 4];
  }
  const double stored_23_of_lane = __shfl_sync(0xffffffff, stored_23, lane + 2);
  if (lane < 2) {
    stored_22 = stored_23 + stored_23_of_lane;
  }
  const double stored_22_of_lane = __shfl_sync(0xffffffff, stored_22, 0);
  const double stored_22_of_lane_1 = __shfl_sync(0xffffffff, stored_22, 1);
  stored_21 = stored_22_of_lane + stored_22_of_lane_1;
  double x_8;
  x_8 = 0.0;
  x_8 = x_8 + stored_21;
  if (threadIdx.x < 1) {
    const int once_4 = threadIdx.x;
    stored_20[0] = x_8;
  }
  double stored_31;
  double stored_32;
  double stored_33;
  double stored_34;
  double stored_35;
  double stored_36;
  double x_9;
  x_9 = 0.0;
  x_9 = x_9 + (warp * 32 + lane < 1 ? stored_20[warp * 32 + lane] : 0.0);
  stored_36 = x_9;
  const double stored_36_of_lane = __shfl_sync(0xffffffff, stored_36, lane + 16);
  if (lane < 16) {
    stored_35 = stored_36 + stored_36_of_lane;
  }
  const double stored_35_of_lane = __shfl_sync(0xffffffff, stored_35, lane + 8);
  if (lane < 8) {
    stored_34 = stored_35 + stored_35_of_lane;
  }
  const double stored_34_of_lane = __shfl_sync(0xffffffff, stored_34, lane + 4);
  if (lane < 4) {
    stored_33 = stored_34 + stored_34_of_lane;
  }
  const double stored_33_of_lane = __shfl_sync(0xffffffff, stored_33, lane + 2);
  if (lane < 2) {
    stored_32 = stored_33 + stored_33_of_lane;
  }
  const double stored_32_of_lane = __shfl_sync(0xffffffff, stored_32, 0);
  const double stored_32_of_lane_1 = __shfl_sync(0xffffffff, stored_32, 1);
  stored_31 = stored_32_of_lane + stored_32_of_lane_1;
  double x_10;
  x_10 = 0.0;
  x_10 = x_10 + stored_31;
  if (lane < 1) {
    const int once_5 = lane;
    stored_19[warp] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_22 = lane;
    stored_18 = stored_19[i_p_22] + stored_19[i_p_22 + 4];
  }
  const double stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 2);
  if (lane < 2) {
    stored_17 = stored_18 + stored_18_of_lane;
  }
  const double stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, 0);
  const double stored_17_of_lane_1 = __shfl_sync(0xffffffff, stored_17, 1);
  stored_16 = stored_17_of_lane + stored_17_of_lane_1;
  double x_11;
  x_11 = 0.0;
  x_11 = x_11 + stored_16;
  if (threadIdx.x < 1) {
    const int once_6 = threadIdx.x;
    output_1[0] = mean_5;
    output_2[0] = share_1 * x_11;
  }
}
