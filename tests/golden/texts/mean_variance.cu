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
  __shared__ __align__(16) double mean[8];
  __shared__ __align__(16) double stored[8];
  __shared__ __align__(16) double stored_1[8];
  __shared__ __align__(16) double stored_2[8];
  double mean_1;
  double mean_2;
  double mean_3;
  double stored_3;
  double stored_4;
  double stored_5;
  double stored_6;
  double stored_7;
  double stored_8;
  double stored_9;
  double stored_10;
  double stored_11;
  double x;
  x = 0.0;
  for (int xs_i_step = 0; xs_i_step < 8; xs_i_step++) {
    x = x + (xs_i_step * 256 + warp * 32 + lane < 40 ? xs[xs_i_step * 256 + warp * 32 + lane] : 0.0);
  }
  stored_11 = x;
  const double stored_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 16);
  if (lane < 16) {
    stored_10 = stored_11 + stored_of_lane;
  }
  const double stored_of_lane_1 = __shfl_sync(0xffffffff, stored_10, lane + 8);
  if (lane < 8) {
    stored_9 = stored_10 + stored_of_lane_1;
  }
  const double stored_of_lane_2 = __shfl_sync(0xffffffff, stored_9, lane + 4);
  if (lane < 4) {
    stored_8 = stored_9 + stored_of_lane_2;
  }
  const double stored_of_lane_3 = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = stored_8 + stored_of_lane_3;
  }
  const double stored_of_lane_4 = __shfl_sync(0xffffffff, stored_7, 0);
  const double stored_of_lane_5 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = stored_of_lane_4 + stored_of_lane_5;
  double x_1;
  x_1 = 0.0;
  x_1 = x_1 + stored_6;
  if (lane < 1) {
    stored[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int xs_i_lane = lane;
    stored_5 = stored[xs_i_lane] + stored[xs_i_lane + 4];
  }
  const double stored_of_lane_6 = __shfl_sync(0xffffffff, stored_5, lane + 2);
  if (lane < 2) {
    stored_4 = stored_5 + stored_of_lane_6;
  }
  const double stored_of_lane_7 = __shfl_sync(0xffffffff, stored_4, 0);
  const double stored_of_lane_8 = __shfl_sync(0xffffffff, stored_4, 1);
  stored_3 = stored_of_lane_7 + stored_of_lane_8;
  double x_2;
  x_2 = 0.0;
  x_2 = x_2 + stored_3;
  if (threadIdx.x < 1) {
    mean_4[0] = x_2;
  }
  double stored_12;
  double stored_13;
  double stored_14;
  double stored_15;
  double stored_16;
  double stored_17;
  double x_3;
  x_3 = 0.0;
  x_3 = x_3 + (warp * 32 + lane < 1 ? mean_4[warp * 32 + lane] : 0.0);
  stored_17 = x_3;
  const double stored_of_lane_9 = __shfl_sync(0xffffffff, stored_17, lane + 16);
  if (lane < 16) {
    stored_16 = stored_17 + stored_of_lane_9;
  }
  const double stored_of_lane_10 = __shfl_sync(0xffffffff, stored_16, lane + 8);
  if (lane < 8) {
    stored_15 = stored_16 + stored_of_lane_10;
  }
  const double stored_of_lane_11 = __shfl_sync(0xffffffff, stored_15, lane + 4);
  if (lane < 4) {
    stored_14 = stored_15 + stored_of_lane_11;
  }
  const double stored_of_lane_12 = __shfl_sync(0xffffffff, stored_14, lane + 2);
  if (lane < 2) {
    stored_13 = stored_14 + stored_of_lane_12;
  }
  const double stored_of_lane_13 = __shfl_sync(0xffffffff, stored_13, 0);
  const double stored_of_lane_14 = __shfl_sync(0xffffffff, stored_13, 1);
  stored_12 = stored_of_lane_13 + stored_of_lane_14;
  double x_4;
  x_4 = 0.0;
  x_4 = x_4 + stored_12;
  if (lane < 1) {
    mean[warp] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    mean_3 = mean[i] + mean[i + 4];
  }
  const double mean_of_lane = __shfl_sync(0xffffffff, mean_3, lane + 2);
  if (lane < 2) {
    mean_2 = mean_3 + mean_of_lane;
  }
  const double mean_of_lane_1 = __shfl_sync(0xffffffff, mean_2, 0);
  const double mean_of_lane_2 = __shfl_sync(0xffffffff, mean_2, 1);
  mean_1 = mean_of_lane_1 + mean_of_lane_2;
  double x_5;
  x_5 = 0.0;
  x_5 = x_5 + mean_1;
  const double mean_5 = share * x_5;
  double stored_18;
  double stored_19;
  double stored_21;
  double stored_22;
  double stored_23;
  double stored_24;
  double stored_25;
  double stored_26;
  double stored_27;
  double stored_28;
  double stored_29;
  double stored_30;
  double x_6;
  x_6 = 0.0;
  for (int xs_i_step = 0; xs_i_step < 8; xs_i_step++) {
    double chosen;
    if (xs_i_step * 256 + warp * 32 + lane < 40) {
      const double d = xs[xs_i_step * 256 + warp * 32 + lane] - mean_5;
      chosen = d * d;
    }
    if (39 < xs_i_step * 256 + warp * 32 + lane) {
      chosen = 0.0;
    }
    x_6 = x_6 + chosen;
  }
  stored_30 = x_6;
  const double stored_of_lane_15 = __shfl_sync(0xffffffff, stored_30, lane + 16);
  if (lane < 16) {
    stored_29 = stored_30 + stored_of_lane_15;
  }
  const double stored_of_lane_16 = __shfl_sync(0xffffffff, stored_29, lane + 8);
  if (lane < 8) {
    stored_28 = stored_29 + stored_of_lane_16;
  }
  const double stored_of_lane_17 = __shfl_sync(0xffffffff, stored_28, lane + 4);
  if (lane < 4) {
    stored_27 = stored_28 + stored_of_lane_17;
  }
  const double stored_of_lane_18 = __shfl_sync(0xffffffff, stored_27, lane + 2);
  if (lane < 2) {
    stored_26 = stored_27 + stored_of_lane_18;
  }
  const double stored_of_lane_19 = __shfl_sync(0xffffffff, stored_26, 0);
  const double stored_of_lane_20 = __shfl_sync(0xffffffff, stored_26, 1);
  stored_25 = stored_of_lane_19 + stored_of_lane_20;
  double x_7;
  x_7 = 0.0;
  x_7 = x_7 + stored_25;
  if (lane < 1) {
    stored_2[warp] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int xs_i_lane = lane;
    stored_24 = stored_2[xs_i_lane] + stored_2[xs_i_lane + 4];
  }
  const double stored_of_lane_21 = __shfl_sync(0xffffffff, stored_24, lane + 2);
  if (lane < 2) {
    stored_23 = stored_24 + stored_of_lane_21;
  }
  const double stored_of_lane_22 = __shfl_sync(0xffffffff, stored_23, 0);
  const double stored_of_lane_23 = __shfl_sync(0xffffffff, stored_23, 1);
  stored_22 = stored_of_lane_22 + stored_of_lane_23;
  double x_8;
  x_8 = 0.0;
  x_8 = x_8 + stored_22;
  if (threadIdx.x < 1) {
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
  const double stored_of_lane_24 = __shfl_sync(0xffffffff, stored_36, lane + 16);
  if (lane < 16) {
    stored_35 = stored_36 + stored_of_lane_24;
  }
  const double stored_of_lane_25 = __shfl_sync(0xffffffff, stored_35, lane + 8);
  if (lane < 8) {
    stored_34 = stored_35 + stored_of_lane_25;
  }
  const double stored_of_lane_26 = __shfl_sync(0xffffffff, stored_34, lane + 4);
  if (lane < 4) {
    stored_33 = stored_34 + stored_of_lane_26;
  }
  const double stored_of_lane_27 = __shfl_sync(0xffffffff, stored_33, lane + 2);
  if (lane < 2) {
    stored_32 = stored_33 + stored_of_lane_27;
  }
  const double stored_of_lane_28 = __shfl_sync(0xffffffff, stored_32, 0);
  const double stored_of_lane_29 = __shfl_sync(0xffffffff, stored_32, 1);
  stored_31 = stored_of_lane_28 + stored_of_lane_29;
  double x_10;
  x_10 = 0.0;
  x_10 = x_10 + stored_31;
  if (lane < 1) {
    stored_1[warp] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i = lane;
    stored_21 = stored_1[i] + stored_1[i + 4];
  }
  const double stored_of_lane_30 = __shfl_sync(0xffffffff, stored_21, lane + 2);
  if (lane < 2) {
    stored_19 = stored_21 + stored_of_lane_30;
  }
  const double stored_of_lane_31 = __shfl_sync(0xffffffff, stored_19, 0);
  const double stored_of_lane_32 = __shfl_sync(0xffffffff, stored_19, 1);
  stored_18 = stored_of_lane_31 + stored_of_lane_32;
  double x_11;
  x_11 = 0.0;
  x_11 = x_11 + stored_18;
  if (threadIdx.x < 1) {
    output_1[0] = mean_5;
    output_2[0] = share * x_11;
  }
}
