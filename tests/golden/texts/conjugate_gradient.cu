// conjugate_gradient(a: N.N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conjugate_gradient(
    const float* __restrict__ a,
    const float* __restrict__ state_3,
    float* __restrict__ images,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_3[8];
  const int i_row = blockIdx.x;
  float stored;
  float stored_1;
  float stored_2;
  const int i_x = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int i_x_1 = 0; i_x_1 < (N + 255) / 256; i_x_1++) {
    x = x + (i_x_1 * 256 + i_x * 32 + lane < N ? a[i_row * N + i_x_1 * 256 + i_x * 32 + lane] * state_3[i_x_1 * 256 + i_x * 32 + lane] : 0.0f);
  }
  stored_9 = x;
  const float stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_9_of_lane;
  }
  const float stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_8_of_lane;
  }
  const float stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_7_of_lane;
  }
  const float stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_6_of_lane;
  }
  const float stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_5_of_lane_1 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_5_of_lane + stored_5_of_lane_1;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = stored_3[i_p_4] + stored_3[i_p_4 + 4];
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_2_of_lane;
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane + stored_1_of_lane_1;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    images[i_row] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_1(
    const float* __restrict__ state_2,
    float* __restrict__ square_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_13[8];
  const int i_part = blockIdx.x;
  float stored_10;
  float stored_11;
  float stored_12;
  const int i_x_2 = threadIdx.x / 32;
  float stored_14;
  float stored_15;
  float stored_16;
  float stored_17;
  float stored_18;
  float stored_19;
  float x_3;
  x_3 = 0.0f;
  for (int i_x_3 = 0; i_x_3 < 8; i_x_3++) {
    x_3 = x_3 + (i_part * 2048 + i_x_3 * 256 + i_x_2 * 32 + lane < N ? state_2[i_part * 2048 + i_x_3 * 256 + i_x_2 * 32 + lane] * state_2[i_part * 2048 + i_x_3 * 256 + i_x_2 * 32 + lane] : 0.0f);
  }
  stored_19 = x_3;
  const float stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 16);
  if (lane < 16) {
    stored_18 = stored_19 + stored_19_of_lane;
  }
  const float stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 8);
  if (lane < 8) {
    stored_17 = stored_18 + stored_18_of_lane;
  }
  const float stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, lane + 4);
  if (lane < 4) {
    stored_16 = stored_17 + stored_17_of_lane;
  }
  const float stored_16_of_lane = __shfl_sync(0xffffffff, stored_16, lane + 2);
  if (lane < 2) {
    stored_15 = stored_16 + stored_16_of_lane;
  }
  const float stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, 0);
  const float stored_15_of_lane_1 = __shfl_sync(0xffffffff, stored_15, 1);
  stored_14 = stored_15_of_lane + stored_15_of_lane_1;
  float x_4;
  x_4 = 0.0f;
  x_4 = x_4 + stored_14;
  if (lane < 1) {
    const int once = lane;
    stored_13[i_x_2] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_12 = stored_13[i_p_10] + stored_13[i_p_10 + 4];
  }
  const float stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = stored_12 + stored_12_of_lane;
  }
  const float stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const float stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = stored_11_of_lane + stored_11_of_lane_1;
  float x_5;
  x_5 = 0.0f;
  x_5 = x_5 + stored_10;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    square_4[i_part] = x_5;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_2(
    const float* __restrict__ square_4,
    float* __restrict__ x_8,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float square_3[8];
  float square;
  float square_1;
  float square_2;
  const int i_x_4 = threadIdx.x / 32;
  float stored_20;
  float stored_21;
  float stored_22;
  float stored_23;
  float stored_24;
  float stored_25;
  float x_6;
  x_6 = 0.0f;
  for (int i_x_5 = 0; i_x_5 < (N + 524287) / 524288; i_x_5++) {
    x_6 = x_6 + (i_x_5 * 256 + i_x_4 * 32 + lane < (N + 2047) / 2048 ? square_4[i_x_5 * 256 + i_x_4 * 32 + lane] : 0.0f);
  }
  stored_25 = x_6;
  const float stored_25_of_lane = __shfl_sync(0xffffffff, stored_25, lane + 16);
  if (lane < 16) {
    stored_24 = stored_25 + stored_25_of_lane;
  }
  const float stored_24_of_lane = __shfl_sync(0xffffffff, stored_24, lane + 8);
  if (lane < 8) {
    stored_23 = stored_24 + stored_24_of_lane;
  }
  const float stored_23_of_lane = __shfl_sync(0xffffffff, stored_23, lane + 4);
  if (lane < 4) {
    stored_22 = stored_23 + stored_23_of_lane;
  }
  const float stored_22_of_lane = __shfl_sync(0xffffffff, stored_22, lane + 2);
  if (lane < 2) {
    stored_21 = stored_22 + stored_22_of_lane;
  }
  const float stored_21_of_lane = __shfl_sync(0xffffffff, stored_21, 0);
  const float stored_21_of_lane_1 = __shfl_sync(0xffffffff, stored_21, 1);
  stored_20 = stored_21_of_lane + stored_21_of_lane_1;
  float x_7;
  x_7 = 0.0f;
  x_7 = x_7 + stored_20;
  if (lane < 1) {
    const int once = lane;
    square_3[i_x_4] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_16 = lane;
    square_2 = square_3[i_p_16] + square_3[i_p_16 + 4];
  }
  const float square_2_of_lane = __shfl_sync(0xffffffff, square_2, lane + 2);
  if (lane < 2) {
    square_1 = square_2 + square_2_of_lane;
  }
  const float square_1_of_lane = __shfl_sync(0xffffffff, square_1, 0);
  const float square_1_of_lane_1 = __shfl_sync(0xffffffff, square_1, 1);
  square = square_1_of_lane + square_1_of_lane_1;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    x_8[0] = 0.0f;
    x_8[0] = x_8[0] + square;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_3(
    const float* __restrict__ state_3,
    const float* __restrict__ images,
    float* __restrict__ length_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_29[8];
  const int i_part_1 = blockIdx.x;
  float stored_26;
  float stored_27;
  float stored_28;
  const int i_x_6 = threadIdx.x / 32;
  float stored_30;
  float stored_31;
  float stored_32;
  float stored_33;
  float stored_34;
  float stored_35;
  float x_9;
  x_9 = 0.0f;
  for (int i_x_7 = 0; i_x_7 < 8; i_x_7++) {
    x_9 = x_9 + (i_part_1 * 2048 + i_x_7 * 256 + i_x_6 * 32 + lane < N ? state_3[i_part_1 * 2048 + i_x_7 * 256 + i_x_6 * 32 + lane] * images[i_part_1 * 2048 + i_x_7 * 256 + i_x_6 * 32 + lane] : 0.0f);
  }
  stored_35 = x_9;
  const float stored_35_of_lane = __shfl_sync(0xffffffff, stored_35, lane + 16);
  if (lane < 16) {
    stored_34 = stored_35 + stored_35_of_lane;
  }
  const float stored_34_of_lane = __shfl_sync(0xffffffff, stored_34, lane + 8);
  if (lane < 8) {
    stored_33 = stored_34 + stored_34_of_lane;
  }
  const float stored_33_of_lane = __shfl_sync(0xffffffff, stored_33, lane + 4);
  if (lane < 4) {
    stored_32 = stored_33 + stored_33_of_lane;
  }
  const float stored_32_of_lane = __shfl_sync(0xffffffff, stored_32, lane + 2);
  if (lane < 2) {
    stored_31 = stored_32 + stored_32_of_lane;
  }
  const float stored_31_of_lane = __shfl_sync(0xffffffff, stored_31, 0);
  const float stored_31_of_lane_1 = __shfl_sync(0xffffffff, stored_31, 1);
  stored_30 = stored_31_of_lane + stored_31_of_lane_1;
  float x_10;
  x_10 = 0.0f;
  x_10 = x_10 + stored_30;
  if (lane < 1) {
    const int once = lane;
    stored_29[i_x_6] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_22 = lane;
    stored_28 = stored_29[i_p_22] + stored_29[i_p_22 + 4];
  }
  const float stored_28_of_lane = __shfl_sync(0xffffffff, stored_28, lane + 2);
  if (lane < 2) {
    stored_27 = stored_28 + stored_28_of_lane;
  }
  const float stored_27_of_lane = __shfl_sync(0xffffffff, stored_27, 0);
  const float stored_27_of_lane_1 = __shfl_sync(0xffffffff, stored_27, 1);
  stored_26 = stored_27_of_lane + stored_27_of_lane_1;
  float x_11;
  x_11 = 0.0f;
  x_11 = x_11 + stored_26;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    length_4[i_part_1] = x_11;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_4(
    const float* __restrict__ length_4,
    float* __restrict__ x_14,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float length_3[8];
  float length;
  float length_1;
  float length_2;
  const int i_x_8 = threadIdx.x / 32;
  float stored_36;
  float stored_37;
  float stored_38;
  float stored_39;
  float stored_40;
  float stored_41;
  float x_12;
  x_12 = 0.0f;
  for (int i_x_9 = 0; i_x_9 < (N + 524287) / 524288; i_x_9++) {
    x_12 = x_12 + (i_x_9 * 256 + i_x_8 * 32 + lane < (N + 2047) / 2048 ? length_4[i_x_9 * 256 + i_x_8 * 32 + lane] : 0.0f);
  }
  stored_41 = x_12;
  const float stored_41_of_lane = __shfl_sync(0xffffffff, stored_41, lane + 16);
  if (lane < 16) {
    stored_40 = stored_41 + stored_41_of_lane;
  }
  const float stored_40_of_lane = __shfl_sync(0xffffffff, stored_40, lane + 8);
  if (lane < 8) {
    stored_39 = stored_40 + stored_40_of_lane;
  }
  const float stored_39_of_lane = __shfl_sync(0xffffffff, stored_39, lane + 4);
  if (lane < 4) {
    stored_38 = stored_39 + stored_39_of_lane;
  }
  const float stored_38_of_lane = __shfl_sync(0xffffffff, stored_38, lane + 2);
  if (lane < 2) {
    stored_37 = stored_38 + stored_38_of_lane;
  }
  const float stored_37_of_lane = __shfl_sync(0xffffffff, stored_37, 0);
  const float stored_37_of_lane_1 = __shfl_sync(0xffffffff, stored_37, 1);
  stored_36 = stored_37_of_lane + stored_37_of_lane_1;
  float x_13;
  x_13 = 0.0f;
  x_13 = x_13 + stored_36;
  if (lane < 1) {
    const int once = lane;
    length_3[i_x_8] = x_13;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_28 = lane;
    length_2 = length_3[i_p_28] + length_3[i_p_28 + 4];
  }
  const float length_2_of_lane = __shfl_sync(0xffffffff, length_2, lane + 2);
  if (lane < 2) {
    length_1 = length_2 + length_2_of_lane;
  }
  const float length_1_of_lane = __shfl_sync(0xffffffff, length_1, 0);
  const float length_1_of_lane_1 = __shfl_sync(0xffffffff, length_1, 1);
  length = length_1_of_lane + length_1_of_lane_1;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    x_14[0] = 0.0f;
    x_14[0] = x_14[0] + length;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_5(
    const float* __restrict__ state_2,
    const float* __restrict__ images,
    const float* __restrict__ x_8,
    const float* __restrict__ x_14,
    float* __restrict__ stored_46,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_50[8];
  const float square_5 = x_8[0];
  const float length_5 = square_5 / x_14[0];
  const int i_part_2 = blockIdx.x;
  float stored_47;
  float stored_48;
  float stored_49;
  const int i_x_10 = threadIdx.x / 32;
  float stored_51;
  float stored_52;
  float stored_53;
  float stored_54;
  float stored_55;
  float stored_56;
  float x_15;
  x_15 = 0.0f;
  for (int i_x_11 = 0; i_x_11 < 8; i_x_11++) {
    float chosen;
    if (i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane < N) {
      const float p_1 = state_2[i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane] - length_5 * images[i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane];
      const float p_2 = state_2[i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane] - length_5 * images[i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane];
      chosen = p_1 * p_2;
    }
    if (N < i_part_2 * 2048 + i_x_11 * 256 + i_x_10 * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x_15 = x_15 + chosen;
  }
  stored_56 = x_15;
  const float stored_56_of_lane = __shfl_sync(0xffffffff, stored_56, lane + 16);
  if (lane < 16) {
    stored_55 = stored_56 + stored_56_of_lane;
  }
  const float stored_55_of_lane = __shfl_sync(0xffffffff, stored_55, lane + 8);
  if (lane < 8) {
    stored_54 = stored_55 + stored_55_of_lane;
  }
  const float stored_54_of_lane = __shfl_sync(0xffffffff, stored_54, lane + 4);
  if (lane < 4) {
    stored_53 = stored_54 + stored_54_of_lane;
  }
  const float stored_53_of_lane = __shfl_sync(0xffffffff, stored_53, lane + 2);
  if (lane < 2) {
    stored_52 = stored_53 + stored_53_of_lane;
  }
  const float stored_52_of_lane = __shfl_sync(0xffffffff, stored_52, 0);
  const float stored_52_of_lane_1 = __shfl_sync(0xffffffff, stored_52, 1);
  stored_51 = stored_52_of_lane + stored_52_of_lane_1;
  float x_16;
  x_16 = 0.0f;
  x_16 = x_16 + stored_51;
  if (lane < 1) {
    const int once = lane;
    stored_50[i_x_10] = x_16;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_34 = lane;
    stored_49 = stored_50[i_p_34] + stored_50[i_p_34 + 4];
  }
  const float stored_49_of_lane = __shfl_sync(0xffffffff, stored_49, lane + 2);
  if (lane < 2) {
    stored_48 = stored_49 + stored_49_of_lane;
  }
  const float stored_48_of_lane = __shfl_sync(0xffffffff, stored_48, 0);
  const float stored_48_of_lane_1 = __shfl_sync(0xffffffff, stored_48, 1);
  stored_47 = stored_48_of_lane + stored_48_of_lane_1;
  float x_17;
  x_17 = 0.0f;
  x_17 = x_17 + stored_47;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_46[i_part_2] = x_17;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_6(
    const float* __restrict__ stored_46,
    float* __restrict__ x_20,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_45[8];
  float stored_42;
  float stored_43;
  float stored_44;
  const int i_x_12 = threadIdx.x / 32;
  float stored_57;
  float stored_58;
  float stored_59;
  float stored_60;
  float stored_61;
  float stored_62;
  float x_18;
  x_18 = 0.0f;
  for (int i_x_13 = 0; i_x_13 < (N + 524287) / 524288; i_x_13++) {
    x_18 = x_18 + (i_x_13 * 256 + i_x_12 * 32 + lane < (N + 2047) / 2048 ? stored_46[i_x_13 * 256 + i_x_12 * 32 + lane] : 0.0f);
  }
  stored_62 = x_18;
  const float stored_62_of_lane = __shfl_sync(0xffffffff, stored_62, lane + 16);
  if (lane < 16) {
    stored_61 = stored_62 + stored_62_of_lane;
  }
  const float stored_61_of_lane = __shfl_sync(0xffffffff, stored_61, lane + 8);
  if (lane < 8) {
    stored_60 = stored_61 + stored_61_of_lane;
  }
  const float stored_60_of_lane = __shfl_sync(0xffffffff, stored_60, lane + 4);
  if (lane < 4) {
    stored_59 = stored_60 + stored_60_of_lane;
  }
  const float stored_59_of_lane = __shfl_sync(0xffffffff, stored_59, lane + 2);
  if (lane < 2) {
    stored_58 = stored_59 + stored_59_of_lane;
  }
  const float stored_58_of_lane = __shfl_sync(0xffffffff, stored_58, 0);
  const float stored_58_of_lane_1 = __shfl_sync(0xffffffff, stored_58, 1);
  stored_57 = stored_58_of_lane + stored_58_of_lane_1;
  float x_19;
  x_19 = 0.0f;
  x_19 = x_19 + stored_57;
  if (lane < 1) {
    const int once = lane;
    stored_45[i_x_12] = x_19;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_40 = lane;
    stored_44 = stored_45[i_p_40] + stored_45[i_p_40 + 4];
  }
  const float stored_44_of_lane = __shfl_sync(0xffffffff, stored_44, lane + 2);
  if (lane < 2) {
    stored_43 = stored_44 + stored_44_of_lane;
  }
  const float stored_43_of_lane = __shfl_sync(0xffffffff, stored_43, 0);
  const float stored_43_of_lane_1 = __shfl_sync(0xffffffff, stored_43, 1);
  stored_42 = stored_43_of_lane + stored_43_of_lane_1;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    x_20[0] = 0.0f;
    x_20[0] = x_20[0] + stored_42;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_7(
    const float* __restrict__ state_1,
    const float* __restrict__ state_2,
    const float* __restrict__ state_3,
    const float* __restrict__ images,
    const float* __restrict__ x_8,
    const float* __restrict__ x_14,
    const float* __restrict__ x_20,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const int N
) {
  const float square_5 = x_8[0];
  const float length_5 = square_5 / x_14[0];
  const float kept = x_20[0] / square_5;
  for (int i_p_42 = blockIdx.x * 256 + threadIdx.x; i_p_42 < N; i_p_42 += gridDim.x * 256) {
    const float p_2_1 = state_2[i_p_42] - length_5 * images[i_p_42];
    output_1[i_p_42] = state_1[i_p_42] + length_5 * state_3[i_p_42];
    output_2[i_p_42] = p_2_1;
    output_3[i_p_42] = p_2_1 + kept * state_3[i_p_42];
  }
}
