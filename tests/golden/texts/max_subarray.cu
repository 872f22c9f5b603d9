// max_subarray(xs: N.i32) -> i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(1) max_subarray(
    const int* __restrict__ xs,
    int* __restrict__ stored_5,
    const int N
) {
  int ending;
  ending = 0;
  for (int i_x = 0; i_x < N; i_x++) {
    ending = max_i32(add_i32(ending, xs[i_x]), 0);
    stored_5[i_x] = ending;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_1(
    int* __restrict__ stored_4,
    const int* __restrict__ stored_5,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_9[8];
  const int i_part = blockIdx.x;
  int stored_6;
  int stored_7;
  int stored_8;
  const int i_x_1 = threadIdx.x / 32;
  int stored_10;
  int stored_11;
  int stored_12;
  int stored_13;
  int stored_14;
  int stored_15;
  int x;
  x = 0;
  for (int i_x_2 = 0; i_x_2 < 8; i_x_2++) {
    x = max_i32(x, i_part * 2048 + i_x_2 * 256 + i_x_1 * 32 + lane < N ? stored_5[i_part * 2048 + i_x_2 * 256 + i_x_1 * 32 + lane] : 0);
  }
  stored_15 = x;
  const int stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, lane + 16);
  if (lane < 16) {
    stored_14 = max_i32(stored_15, stored_15_of_lane);
  }
  const int stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 8);
  if (lane < 8) {
    stored_13 = max_i32(stored_14, stored_14_of_lane);
  }
  const int stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 4);
  if (lane < 4) {
    stored_12 = max_i32(stored_13, stored_13_of_lane);
  }
  const int stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = max_i32(stored_12, stored_12_of_lane);
  }
  const int stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const int stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = max_i32(stored_11_of_lane, stored_11_of_lane_1);
  int x_1;
  x_1 = 0;
  x_1 = max_i32(x_1, stored_10);
  if (lane < 1) {
    const int once = lane;
    stored_9[i_x_1] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_8 = max_i32(stored_9[i_p_4], stored_9[i_p_4 + 4]);
  }
  const int stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = max_i32(stored_8, stored_8_of_lane);
  }
  const int stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, 0);
  const int stored_7_of_lane_1 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = max_i32(stored_7_of_lane, stored_7_of_lane_1);
  int x_2;
  x_2 = 0;
  x_2 = max_i32(x_2, stored_6);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    stored_4[i_part] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_2(
    const int* __restrict__ stored_4,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_3[8];
  int stored;
  int stored_1;
  int stored_2;
  const int i_x_3 = threadIdx.x / 32;
  int stored_16;
  int stored_17;
  int stored_18;
  int stored_19;
  int stored_20;
  int stored_21;
  int x_3;
  x_3 = 0;
  for (int i_x_4 = 0; i_x_4 < (N + 524287) / 524288; i_x_4++) {
    x_3 = max_i32(x_3, i_x_4 * 256 + i_x_3 * 32 + lane < (N + 2047) / 2048 ? stored_4[i_x_4 * 256 + i_x_3 * 32 + lane] : 0);
  }
  stored_21 = x_3;
  const int stored_21_of_lane = __shfl_sync(0xffffffff, stored_21, lane + 16);
  if (lane < 16) {
    stored_20 = max_i32(stored_21, stored_21_of_lane);
  }
  const int stored_20_of_lane = __shfl_sync(0xffffffff, stored_20, lane + 8);
  if (lane < 8) {
    stored_19 = max_i32(stored_20, stored_20_of_lane);
  }
  const int stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 4);
  if (lane < 4) {
    stored_18 = max_i32(stored_19, stored_19_of_lane);
  }
  const int stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 2);
  if (lane < 2) {
    stored_17 = max_i32(stored_18, stored_18_of_lane);
  }
  const int stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, 0);
  const int stored_17_of_lane_1 = __shfl_sync(0xffffffff, stored_17, 1);
  stored_16 = max_i32(stored_17_of_lane, stored_17_of_lane_1);
  int x_4;
  x_4 = 0;
  x_4 = max_i32(x_4, stored_16);
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_3] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_2 = max_i32(stored_3[i_p_10], stored_3[i_p_10 + 4]);
  }
  const int stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = max_i32(stored_2, stored_2_of_lane);
  }
  const int stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const int stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = max_i32(stored_1_of_lane, stored_1_of_lane_1);
  int x_5;
  x_5 = 0;
  x_5 = max_i32(x_5, stored);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[0] = x_5;
  }
}
