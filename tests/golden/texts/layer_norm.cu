// layer_norm(scale: N.f32, shift: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) layer_norm(
    const float* __restrict__ scale,
    const float* __restrict__ shift,
    const float* __restrict__ batch,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_3[8];
  __shared__ __align__(16) int middle_3[8];
  __shared__ __align__(16) float stored_19[8];
  __shared__ __align__(16) int stored_29[8];
  const int i_xs = blockIdx.x;
  float stored;
  float stored_1;
  float stored_2;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int i_x_1 = 0; i_x_1 < (N + 255) / 256; i_x_1++) {
    x = x + (i_x_1 * 256 + warp * 32 + lane < N ? batch[i_xs * N + i_x_1 * 256 + warp * 32 + lane] : 0.0f);
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
    stored_3[warp] = x_1;
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
  int middle;
  int middle_1;
  int middle_2;
  int stored_10;
  int stored_11;
  int stored_12;
  int stored_13;
  int stored_14;
  int stored_15;
  int x_3;
  x_3 = 0;
  for (int i_x_3 = 0; i_x_3 < (N + 255) / 256; i_x_3++) {
    x_3 = add_i32(x_3, i_x_3 * 256 + warp * 32 + lane < N ? 1 : 0);
  }
  stored_15 = x_3;
  const int stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, lane + 16);
  if (lane < 16) {
    stored_14 = add_i32(stored_15, stored_15_of_lane);
  }
  const int stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 8);
  if (lane < 8) {
    stored_13 = add_i32(stored_14, stored_14_of_lane);
  }
  const int stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 4);
  if (lane < 4) {
    stored_12 = add_i32(stored_13, stored_13_of_lane);
  }
  const int stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = add_i32(stored_12, stored_12_of_lane);
  }
  const int stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const int stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = add_i32(stored_11_of_lane, stored_11_of_lane_1);
  int x_4;
  x_4 = 0;
  x_4 = add_i32(x_4, stored_10);
  if (lane < 1) {
    const int once_1 = lane;
    middle_3[warp] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    middle_2 = add_i32(middle_3[i_p_10], middle_3[i_p_10 + 4]);
  }
  const int middle_2_of_lane = __shfl_sync(0xffffffff, middle_2, lane + 2);
  if (lane < 2) {
    middle_1 = add_i32(middle_2, middle_2_of_lane);
  }
  const int middle_1_of_lane = __shfl_sync(0xffffffff, middle_1, 0);
  const int middle_1_of_lane_1 = __shfl_sync(0xffffffff, middle_1, 1);
  middle = add_i32(middle_1_of_lane, middle_1_of_lane_1);
  int x_5;
  x_5 = 0;
  x_5 = add_i32(x_5, middle);
  const float middle_4 = x_2 / (float)x_5;
  float stored_16;
  float stored_17;
  float stored_18;
  float stored_20;
  float stored_21;
  float stored_22;
  float stored_23;
  float stored_24;
  float stored_25;
  float x_6;
  x_6 = 0.0f;
  for (int i_x_5 = 0; i_x_5 < (N + 255) / 256; i_x_5++) {
    float chosen;
    if (i_x_5 * 256 + warp * 32 + lane < N) {
      const float d = batch[i_xs * N + i_x_5 * 256 + warp * 32 + lane] - middle_4;
      chosen = d * d;
    }
    if (N < i_x_5 * 256 + warp * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x_6 = x_6 + chosen;
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
    const int once_2 = lane;
    stored_19[warp] = x_7;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_16 = lane;
    stored_18 = stored_19[i_p_16] + stored_19[i_p_16 + 4];
  }
  const float stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 2);
  if (lane < 2) {
    stored_17 = stored_18 + stored_18_of_lane;
  }
  const float stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, 0);
  const float stored_17_of_lane_1 = __shfl_sync(0xffffffff, stored_17, 1);
  stored_16 = stored_17_of_lane + stored_17_of_lane_1;
  float x_8;
  x_8 = 0.0f;
  x_8 = x_8 + stored_16;
  int stored_26;
  int stored_27;
  int stored_28;
  int stored_30;
  int stored_31;
  int stored_32;
  int stored_33;
  int stored_34;
  int stored_35;
  int x_9;
  x_9 = 0;
  for (int i_x_7 = 0; i_x_7 < (N + 255) / 256; i_x_7++) {
    x_9 = add_i32(x_9, i_x_7 * 256 + warp * 32 + lane < N ? 1 : 0);
  }
  stored_35 = x_9;
  const int stored_35_of_lane = __shfl_sync(0xffffffff, stored_35, lane + 16);
  if (lane < 16) {
    stored_34 = add_i32(stored_35, stored_35_of_lane);
  }
  const int stored_34_of_lane = __shfl_sync(0xffffffff, stored_34, lane + 8);
  if (lane < 8) {
    stored_33 = add_i32(stored_34, stored_34_of_lane);
  }
  const int stored_33_of_lane = __shfl_sync(0xffffffff, stored_33, lane + 4);
  if (lane < 4) {
    stored_32 = add_i32(stored_33, stored_33_of_lane);
  }
  const int stored_32_of_lane = __shfl_sync(0xffffffff, stored_32, lane + 2);
  if (lane < 2) {
    stored_31 = add_i32(stored_32, stored_32_of_lane);
  }
  const int stored_31_of_lane = __shfl_sync(0xffffffff, stored_31, 0);
  const int stored_31_of_lane_1 = __shfl_sync(0xffffffff, stored_31, 1);
  stored_30 = add_i32(stored_31_of_lane, stored_31_of_lane_1);
  int x_10;
  x_10 = 0;
  x_10 = add_i32(x_10, stored_30);
  if (lane < 1) {
    const int once_3 = lane;
    stored_29[warp] = x_10;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_22 = lane;
    stored_28 = add_i32(stored_29[i_p_22], stored_29[i_p_22 + 4]);
  }
  const int stored_28_of_lane = __shfl_sync(0xffffffff, stored_28, lane + 2);
  if (lane < 2) {
    stored_27 = add_i32(stored_28, stored_28_of_lane);
  }
  const int stored_27_of_lane = __shfl_sync(0xffffffff, stored_27, 0);
  const int stored_27_of_lane_1 = __shfl_sync(0xffffffff, stored_27, 1);
  stored_26 = add_i32(stored_27_of_lane, stored_27_of_lane_1);
  int x_11;
  x_11 = 0;
  x_11 = add_i32(x_11, stored_26);
  const float x_12 = sqrtf(x_8 / (float)x_11 + 1e-05f);
  for (int i_p_24 = threadIdx.x; i_p_24 < N; i_p_24 += 256) {
    const float p_2 = (batch[i_xs * N + i_p_24] - middle_4) / x_12;
    output[i_xs * N + i_p_24] = scale[i_p_24] * p_2 + shift[i_p_24];
  }
}
