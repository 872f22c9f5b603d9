// min_max(xs: N.f32) -> (f32, f32) for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) min_max(
    const float* __restrict__ xs,
    float* __restrict__ stored_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_8[8];
  const int i_part = blockIdx.x;
  float stored_5;
  float stored_6;
  float stored_7;
  const int i_x = threadIdx.x / 32;
  float stored_9;
  float stored_10;
  float stored_11;
  float stored_12;
  float stored_13;
  float stored_14;
  float x;
  x = __int_as_float(0x7f800000);
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    x = min_f32(x, i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane < N ? xs[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane] : __int_as_float(0x7f800000));
  }
  stored_14 = x;
  const float stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 16);
  if (lane < 16) {
    stored_13 = min_f32(stored_14, stored_14_of_lane);
  }
  const float stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 8);
  if (lane < 8) {
    stored_12 = min_f32(stored_13, stored_13_of_lane);
  }
  const float stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 4);
  if (lane < 4) {
    stored_11 = min_f32(stored_12, stored_12_of_lane);
  }
  const float stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 2);
  if (lane < 2) {
    stored_10 = min_f32(stored_11, stored_11_of_lane);
  }
  const float stored_10_of_lane = __shfl_sync(0xffffffff, stored_10, 0);
  const float stored_10_of_lane_1 = __shfl_sync(0xffffffff, stored_10, 1);
  stored_9 = min_f32(stored_10_of_lane, stored_10_of_lane_1);
  float x_1;
  x_1 = __int_as_float(0x7f800000);
  x_1 = min_f32(x_1, stored_9);
  if (lane < 1) {
    const int once = lane;
    stored_8[i_x] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_7 = min_f32(stored_8[i_p_4], stored_8[i_p_4 + 4]);
  }
  const float stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = min_f32(stored_7, stored_7_of_lane);
  }
  const float stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_6_of_lane_1 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = min_f32(stored_6_of_lane, stored_6_of_lane_1);
  float x_2;
  x_2 = __int_as_float(0x7f800000);
  x_2 = min_f32(x_2, stored_5);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_4[i_part] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_1(
    const float* __restrict__ stored_4,
    float* __restrict__ x_5,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_3[8];
  float stored;
  float stored_1;
  float stored_2;
  const int i_x_2 = threadIdx.x / 32;
  float stored_15;
  float stored_16;
  float stored_17;
  float stored_18;
  float stored_19;
  float stored_20;
  float x_3;
  x_3 = __int_as_float(0x7f800000);
  for (int i_x_3 = 0; i_x_3 < (N + 524287) / 524288; i_x_3++) {
    x_3 = min_f32(x_3, i_x_3 * 256 + i_x_2 * 32 + lane < (N + 2047) / 2048 ? stored_4[i_x_3 * 256 + i_x_2 * 32 + lane] : __int_as_float(0x7f800000));
  }
  stored_20 = x_3;
  const float stored_20_of_lane = __shfl_sync(0xffffffff, stored_20, lane + 16);
  if (lane < 16) {
    stored_19 = min_f32(stored_20, stored_20_of_lane);
  }
  const float stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 8);
  if (lane < 8) {
    stored_18 = min_f32(stored_19, stored_19_of_lane);
  }
  const float stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 4);
  if (lane < 4) {
    stored_17 = min_f32(stored_18, stored_18_of_lane);
  }
  const float stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, lane + 2);
  if (lane < 2) {
    stored_16 = min_f32(stored_17, stored_17_of_lane);
  }
  const float stored_16_of_lane = __shfl_sync(0xffffffff, stored_16, 0);
  const float stored_16_of_lane_1 = __shfl_sync(0xffffffff, stored_16, 1);
  stored_15 = min_f32(stored_16_of_lane, stored_16_of_lane_1);
  float x_4;
  x_4 = __int_as_float(0x7f800000);
  x_4 = min_f32(x_4, stored_15);
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_2] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_2 = min_f32(stored_3[i_p_10], stored_3[i_p_10 + 4]);
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = min_f32(stored_2, stored_2_of_lane);
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = min_f32(stored_1_of_lane, stored_1_of_lane_1);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    x_5[0] = __int_as_float(0x7f800000);
    x_5[0] = min_f32(x_5[0], stored);
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_2(
    const float* __restrict__ xs,
    float* __restrict__ stored_25,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_29[8];
  const int i_part_1 = blockIdx.x;
  float stored_26;
  float stored_27;
  float stored_28;
  const int i_x_4 = threadIdx.x / 32;
  float stored_30;
  float stored_31;
  float stored_32;
  float stored_33;
  float stored_34;
  float stored_35;
  float x_6;
  x_6 = -__int_as_float(0x7f800000);
  for (int i_x_5 = 0; i_x_5 < 8; i_x_5++) {
    x_6 = max_f32(x_6, i_part_1 * 2048 + i_x_5 * 256 + i_x_4 * 32 + lane < N ? xs[i_part_1 * 2048 + i_x_5 * 256 + i_x_4 * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_35 = x_6;
  const float stored_35_of_lane = __shfl_sync(0xffffffff, stored_35, lane + 16);
  if (lane < 16) {
    stored_34 = max_f32(stored_35, stored_35_of_lane);
  }
  const float stored_34_of_lane = __shfl_sync(0xffffffff, stored_34, lane + 8);
  if (lane < 8) {
    stored_33 = max_f32(stored_34, stored_34_of_lane);
  }
  const float stored_33_of_lane = __shfl_sync(0xffffffff, stored_33, lane + 4);
  if (lane < 4) {
    stored_32 = max_f32(stored_33, stored_33_of_lane);
  }
  const float stored_32_of_lane = __shfl_sync(0xffffffff, stored_32, lane + 2);
  if (lane < 2) {
    stored_31 = max_f32(stored_32, stored_32_of_lane);
  }
  const float stored_31_of_lane = __shfl_sync(0xffffffff, stored_31, 0);
  const float stored_31_of_lane_1 = __shfl_sync(0xffffffff, stored_31, 1);
  stored_30 = max_f32(stored_31_of_lane, stored_31_of_lane_1);
  float x_7;
  x_7 = -__int_as_float(0x7f800000);
  x_7 = max_f32(x_7, stored_30);
  if (lane < 1) {
    const int once = lane;
    stored_29[i_x_4] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_16 = lane;
    stored_28 = max_f32(stored_29[i_p_16], stored_29[i_p_16 + 4]);
  }
  const float stored_28_of_lane = __shfl_sync(0xffffffff, stored_28, lane + 2);
  if (lane < 2) {
    stored_27 = max_f32(stored_28, stored_28_of_lane);
  }
  const float stored_27_of_lane = __shfl_sync(0xffffffff, stored_27, 0);
  const float stored_27_of_lane_1 = __shfl_sync(0xffffffff, stored_27, 1);
  stored_26 = max_f32(stored_27_of_lane, stored_27_of_lane_1);
  float x_8;
  x_8 = -__int_as_float(0x7f800000);
  x_8 = max_f32(x_8, stored_26);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_25[i_part_1] = x_8;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_3(
    const float* __restrict__ x_5,
    const float* __restrict__ stored_25,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_24[8];
  float stored_21;
  float stored_22;
  float stored_23;
  const int i_x_6 = threadIdx.x / 32;
  float stored_36;
  float stored_37;
  float stored_38;
  float stored_39;
  float stored_40;
  float stored_41;
  float x_9;
  x_9 = -__int_as_float(0x7f800000);
  for (int i_x_7 = 0; i_x_7 < (N + 524287) / 524288; i_x_7++) {
    x_9 = max_f32(x_9, i_x_7 * 256 + i_x_6 * 32 + lane < (N + 2047) / 2048 ? stored_25[i_x_7 * 256 + i_x_6 * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_41 = x_9;
  const float stored_41_of_lane = __shfl_sync(0xffffffff, stored_41, lane + 16);
  if (lane < 16) {
    stored_40 = max_f32(stored_41, stored_41_of_lane);
  }
  const float stored_40_of_lane = __shfl_sync(0xffffffff, stored_40, lane + 8);
  if (lane < 8) {
    stored_39 = max_f32(stored_40, stored_40_of_lane);
  }
  const float stored_39_of_lane = __shfl_sync(0xffffffff, stored_39, lane + 4);
  if (lane < 4) {
    stored_38 = max_f32(stored_39, stored_39_of_lane);
  }
  const float stored_38_of_lane = __shfl_sync(0xffffffff, stored_38, lane + 2);
  if (lane < 2) {
    stored_37 = max_f32(stored_38, stored_38_of_lane);
  }
  const float stored_37_of_lane = __shfl_sync(0xffffffff, stored_37, 0);
  const float stored_37_of_lane_1 = __shfl_sync(0xffffffff, stored_37, 1);
  stored_36 = max_f32(stored_37_of_lane, stored_37_of_lane_1);
  float x_10;
  x_10 = -__int_as_float(0x7f800000);
  x_10 = max_f32(x_10, stored_36);
  if (lane < 1) {
    const int once = lane;
    stored_24[i_x_6] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_22 = lane;
    stored_23 = max_f32(stored_24[i_p_22], stored_24[i_p_22 + 4]);
  }
  const float stored_23_of_lane = __shfl_sync(0xffffffff, stored_23, lane + 2);
  if (lane < 2) {
    stored_22 = max_f32(stored_23, stored_23_of_lane);
  }
  const float stored_22_of_lane = __shfl_sync(0xffffffff, stored_22, 0);
  const float stored_22_of_lane_1 = __shfl_sync(0xffffffff, stored_22, 1);
  stored_21 = max_f32(stored_22_of_lane, stored_22_of_lane_1);
  float x_11;
  x_11 = -__int_as_float(0x7f800000);
  x_11 = max_f32(x_11, stored_21);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output_1[0] = x_5[0];
    output_2[0] = x_11;
  }
}
