// dot_i8(xs: N.i8, ys: N.i8) -> i32 for all N
// for sm_80

__device__ __forceinline__ int mul_i32(int a, int b) { return (int)((unsigned)a * (unsigned)b); }

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) shine_dot_i8(
    const signed char* __restrict__ xs,
    const signed char* __restrict__ ys,
    int* __restrict__ stored_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_8[8];
  const int i_part = blockIdx.x;
  int stored_5;
  int stored_6;
  int stored_7;
  const int i_x = threadIdx.x / 32;
  int stored_9;
  int stored_10;
  int stored_11;
  int stored_12;
  int stored_13;
  int stored_14;
  int x;
  x = 0;
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    const int x_1 = add_i32(x, i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane < N ? mul_i32((int)xs[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane], (int)ys[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane]) : 0);
    x = x_1;
  }
  stored_14 = x;
  const int stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 16);
  if (lane < 16) {
    stored_13 = add_i32(stored_14, stored_14_of_lane);
  }
  const int stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 8);
  if (lane < 8) {
    stored_12 = add_i32(stored_13, stored_13_of_lane);
  }
  const int stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 4);
  if (lane < 4) {
    stored_11 = add_i32(stored_12, stored_12_of_lane);
  }
  const int stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 2);
  if (lane < 2) {
    stored_10 = add_i32(stored_11, stored_11_of_lane);
  }
  const int stored_10_of_lane = __shfl_sync(0xffffffff, stored_10, 0);
  const int stored_10_of_lane_1 = __shfl_sync(0xffffffff, stored_10, 1);
  stored_9 = add_i32(stored_10_of_lane, stored_10_of_lane_1);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_9);
  if (lane < 1) {
    const int once = lane;
    stored_8[i_x] = x_2;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_7 = add_i32(stored_8[i_p_4], stored_8[i_p_4 + 4]);
  }
  const int stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = add_i32(stored_7, stored_7_of_lane);
  }
  const int stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, 0);
  const int stored_6_of_lane_1 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = add_i32(stored_6_of_lane, stored_6_of_lane_1);
  int x_3;
  x_3 = 0;
  x_3 = add_i32(x_3, stored_5);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_4[i_part] = x_3;
  }
}

extern "C" __global__ void __launch_bounds__(256) shine_dot_i8_1(
    const int* __restrict__ stored_4,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_3[8];
  int stored;
  int stored_1;
  int stored_2;
  const int i_x_2 = threadIdx.x / 32;
  int stored_15;
  int stored_16;
  int stored_17;
  int stored_18;
  int stored_19;
  int stored_20;
  int x_4;
  x_4 = 0;
  for (int i_x_3 = 0; i_x_3 < (N + 524287) / 524288; i_x_3++) {
    x_4 = add_i32(x_4, i_x_3 * 256 + i_x_2 * 32 + lane < (N + 2047) / 2048 ? stored_4[i_x_3 * 256 + i_x_2 * 32 + lane] : 0);
  }
  stored_20 = x_4;
  const int stored_20_of_lane = __shfl_sync(0xffffffff, stored_20, lane + 16);
  if (lane < 16) {
    stored_19 = add_i32(stored_20, stored_20_of_lane);
  }
  const int stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 8);
  if (lane < 8) {
    stored_18 = add_i32(stored_19, stored_19_of_lane);
  }
  const int stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 4);
  if (lane < 4) {
    stored_17 = add_i32(stored_18, stored_18_of_lane);
  }
  const int stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, lane + 2);
  if (lane < 2) {
    stored_16 = add_i32(stored_17, stored_17_of_lane);
  }
  const int stored_16_of_lane = __shfl_sync(0xffffffff, stored_16, 0);
  const int stored_16_of_lane_1 = __shfl_sync(0xffffffff, stored_16, 1);
  stored_15 = add_i32(stored_16_of_lane, stored_16_of_lane_1);
  int x_5;
  x_5 = 0;
  x_5 = add_i32(x_5, stored_15);
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_2] = x_5;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_2 = add_i32(stored_3[i_p_10], stored_3[i_p_10 + 4]);
  }
  const int stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = add_i32(stored_2, stored_2_of_lane);
  }
  const int stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const int stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = add_i32(stored_1_of_lane, stored_1_of_lane_1);
  int x_6;
  x_6 = 0;
  x_6 = add_i32(x_6, stored);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[0] = x_6;
  }
}
