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
  for (int n = 0; n < N; n++) {
    ending = max_i32(add_i32(ending, xs[n]), 0);
    stored_5[n] = ending;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_1(
    int* __restrict__ stored_4,
    const int* __restrict__ stored_5,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored[8];
  const int i = blockIdx.x;
  int stored_1;
  int stored_2;
  int stored_3;
  const int j = threadIdx.x / 32;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int stored_10;
  int stored_11;
  int x;
  x = 0;
  for (int k = 0; k < 8; k++) {
    x = max_i32(x, i * 2048 + k * 256 + j * 32 + lane < N ? stored_5[i * 2048 + k * 256 + j * 32 + lane] : 0);
  }
  stored_11 = x;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 16);
  if (lane < 16) {
    stored_10 = max_i32(stored_11, stored_of_lane);
  }
  const int stored_of_lane_1 = __shfl_sync(0xffffffff, stored_10, lane + 8);
  if (lane < 8) {
    stored_9 = max_i32(stored_10, stored_of_lane_1);
  }
  const int stored_of_lane_2 = __shfl_sync(0xffffffff, stored_9, lane + 4);
  if (lane < 4) {
    stored_8 = max_i32(stored_9, stored_of_lane_2);
  }
  const int stored_of_lane_3 = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = max_i32(stored_8, stored_of_lane_3);
  }
  const int stored_of_lane_4 = __shfl_sync(0xffffffff, stored_7, 0);
  const int stored_of_lane_5 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = max_i32(stored_of_lane_4, stored_of_lane_5);
  int x_1;
  x_1 = 0;
  x_1 = max_i32(x_1, stored_6);
  if (lane < 1) {
    stored[j] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int j_1 = lane;
    stored_3 = max_i32(stored[j_1], stored[j_1 + 4]);
  }
  const int stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = max_i32(stored_3, stored_of_lane_6);
  }
  const int stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const int stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = max_i32(stored_of_lane_7, stored_of_lane_8);
  int x_2;
  x_2 = 0;
  x_2 = max_i32(x_2, stored_1);
  if (threadIdx.x < 1) {
    stored_4[i] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_2(
    const int* __restrict__ stored_4,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored[8];
  int stored_1;
  int stored_2;
  int stored_3;
  const int i = threadIdx.x / 32;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int stored_10;
  int stored_11;
  int x;
  x = 0;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = max_i32(x, j * 256 + i * 32 + lane < (N + 2047) / 2048 ? stored_4[j * 256 + i * 32 + lane] : 0);
  }
  stored_11 = x;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_11, lane + 16);
  if (lane < 16) {
    stored_10 = max_i32(stored_11, stored_of_lane);
  }
  const int stored_of_lane_1 = __shfl_sync(0xffffffff, stored_10, lane + 8);
  if (lane < 8) {
    stored_9 = max_i32(stored_10, stored_of_lane_1);
  }
  const int stored_of_lane_2 = __shfl_sync(0xffffffff, stored_9, lane + 4);
  if (lane < 4) {
    stored_8 = max_i32(stored_9, stored_of_lane_2);
  }
  const int stored_of_lane_3 = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = max_i32(stored_8, stored_of_lane_3);
  }
  const int stored_of_lane_4 = __shfl_sync(0xffffffff, stored_7, 0);
  const int stored_of_lane_5 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = max_i32(stored_of_lane_4, stored_of_lane_5);
  int x_1;
  x_1 = 0;
  x_1 = max_i32(x_1, stored_6);
  if (lane < 1) {
    stored[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    stored_3 = max_i32(stored[i_1], stored[i_1 + 4]);
  }
  const int stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = max_i32(stored_3, stored_of_lane_6);
  }
  const int stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const int stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = max_i32(stored_of_lane_7, stored_of_lane_8);
  int x_2;
  x_2 = 0;
  x_2 = max_i32(x_2, stored_1);
  if (threadIdx.x < 1) {
    output[0] = x_2;
  }
}
