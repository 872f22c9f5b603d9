// dot(xs: N.f32, ys: N.f32) -> f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) dot(
    const float* __restrict__ xs,
    const float* __restrict__ ys,
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
  x = 0.0f;
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    x = x + (i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane < N ? xs[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane] * ys[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane] : 0.0f);
  }
  stored_14 = x;
  const float stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 16);
  if (lane < 16) {
    stored_13 = stored_14 + stored_14_of_lane;
  }
  const float stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 8);
  if (lane < 8) {
    stored_12 = stored_13 + stored_13_of_lane;
  }
  const float stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 4);
  if (lane < 4) {
    stored_11 = stored_12 + stored_12_of_lane;
  }
  const float stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 2);
  if (lane < 2) {
    stored_10 = stored_11 + stored_11_of_lane;
  }
  const float stored_10_of_lane = __shfl_sync(0xffffffff, stored_10, 0);
  const float stored_10_of_lane_1 = __shfl_sync(0xffffffff, stored_10, 1);
  stored_9 = stored_10_of_lane + stored_10_of_lane_1;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_9;
  if (lane < 1) {
    const int once = lane;
    stored_8[i_x] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_7 = stored_8[i_p_4] + stored_8[i_p_4 + 4];
  }
  const float stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = stored_7 + stored_7_of_lane;
  }
  const float stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_6_of_lane_1 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = stored_6_of_lane + stored_6_of_lane_1;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_5;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_4[i_part] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) dot_1(
    const float* __restrict__ stored_4,
    float* __restrict__ output,
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
  x_3 = 0.0f;
  for (int i_x_3 = 0; i_x_3 < (N + 524287) / 524288; i_x_3++) {
    x_3 = x_3 + (i_x_3 * 256 + i_x_2 * 32 + lane < (N + 2047) / 2048 ? stored_4[i_x_3 * 256 + i_x_2 * 32 + lane] : 0.0f);
  }
  stored_20 = x_3;
  const float stored_20_of_lane = __shfl_sync(0xffffffff, stored_20, lane + 16);
  if (lane < 16) {
    stored_19 = stored_20 + stored_20_of_lane;
  }
  const float stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 8);
  if (lane < 8) {
    stored_18 = stored_19 + stored_19_of_lane;
  }
  const float stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 4);
  if (lane < 4) {
    stored_17 = stored_18 + stored_18_of_lane;
  }
  const float stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, lane + 2);
  if (lane < 2) {
    stored_16 = stored_17 + stored_17_of_lane;
  }
  const float stored_16_of_lane = __shfl_sync(0xffffffff, stored_16, 0);
  const float stored_16_of_lane_1 = __shfl_sync(0xffffffff, stored_16, 1);
  stored_15 = stored_16_of_lane + stored_16_of_lane_1;
  float x_4;
  x_4 = 0.0f;
  x_4 = x_4 + stored_15;
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_2] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_2 = stored_3[i_p_10] + stored_3[i_p_10 + 4];
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_2_of_lane;
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane + stored_1_of_lane_1;
  float x_5;
  x_5 = 0.0f;
  x_5 = x_5 + stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[0] = x_5;
  }
}
