// prefix_sum(xs: N.i32) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int ceil_div_i32(int a, int b) { return a / b + (a % b > 0); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) prefix_sum(
    const int* __restrict__ xs,
    int* __restrict__ parts,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_4[8];
  const int i_part = blockIdx.x;
  int stored_1;
  int stored_2;
  int stored_3;
  const int i_x = threadIdx.x / 32;
  int stored_5;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int stored_10;
  int x;
  x = 0;
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    x = add_i32(x, i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane < N ? xs[i_part * 2048 + i_x_1 * 256 + i_x * 32 + lane] : 0);
  }
  stored_10 = x;
  const int stored_10_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = add_i32(stored_10, stored_10_of_lane);
  }
  const int stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = add_i32(stored_9, stored_9_of_lane);
  }
  const int stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = add_i32(stored_8, stored_8_of_lane);
  }
  const int stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = add_i32(stored_7, stored_7_of_lane);
  }
  const int stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, 0);
  const int stored_6_of_lane_1 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = add_i32(stored_6_of_lane, stored_6_of_lane_1);
  int x_1;
  x_1 = 0;
  x_1 = add_i32(x_1, stored_5);
  if (lane < 1) {
    const int once = lane;
    stored_4[i_x] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_3 = add_i32(stored_4[i_p_4], stored_4[i_p_4 + 4]);
  }
  const int stored_3_of_lane = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = add_i32(stored_3, stored_3_of_lane);
  }
  const int stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, 0);
  const int stored_2_of_lane_1 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = add_i32(stored_2_of_lane, stored_2_of_lane_1);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_1);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    parts[i_part] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) prefix_sum_1(
    int* __restrict__ stored,
    const int* __restrict__ parts,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_11[256];
  __shared__ __align__(16) int parts_1[256];
  const int i_part_1 = threadIdx.x;
  int x_3;
  x_3 = 0;
  for (int i_x_2 = 0; i_x_2 < (N + 2047) / 524288 + 1; i_x_2++) {
    x_3 = add_i32(x_3, i_part_1 * ((N + 2047) / 524288) + i_part_1 + i_x_2 < (N + 2047) / 2048 ? parts[i_part_1 * ((N + 2047) / 524288) + i_part_1 + i_x_2] : 0);
  }
  parts_1[i_part_1] = x_3;
  int stored_12;
  int ys;
  int ys_1;
  int ys_2;
  int ys_3;
  int ys_4;
  int ys_5;
  int x_4;
  x_4 = 0;
  __syncthreads();
  for (int i_x_3 = 0; i_x_3 < 8; i_x_3++) {
    x_4 = add_i32(x_4, parts_1[lane * 8 + i_x_3]);
  }
  ys_5 = x_4;
  ys_4 = add_i32(0, ys_5);
  const int ys_4_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const int p_1 = 0 < lane ? ys_4_of_lane : 0;
  ys_3 = add_i32(p_1, ys_4);
  const int ys_3_of_lane = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const int p_1_1 = 1 < lane ? ys_3_of_lane : 0;
  ys_2 = add_i32(p_1_1, ys_3);
  const int ys_2_of_lane = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const int p_1_2 = 3 < lane ? ys_2_of_lane : 0;
  ys_1 = add_i32(p_1_2, ys_2);
  const int ys_1_of_lane = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const int p_1_3 = 7 < lane ? ys_1_of_lane : 0;
  ys = add_i32(p_1_3, ys_1);
  const int ys_of_lane = __shfl_sync(0xffffffff, ys, lane - 16);
  const int p_1_4 = 15 < lane ? ys_of_lane : 0;
  stored_12 = add_i32(p_1_4, ys);
  int x_5;
  const int stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane - 1);
  x_5 = 0 < lane ? stored_12_of_lane : 0;
  for (int i_x_5 = 0; i_x_5 < 8; i_x_5++) {
    x_5 = add_i32(x_5, parts_1[lane * 8 + i_x_5]);
    if (warp < 1) {
      const int once = warp;
      stored_11[lane * 8 + i_x_5] = x_5;
    }
  }
  const int i_q_1 = threadIdx.x;
  int x_6;
  __syncthreads();
  x_6 = 0 < i_q_1 ? stored_11[i_q_1 - 1] : 0;
  for (int i_x_6 = 0; i_x_6 < (N + 2047) / 524288 + 1; i_x_6++) {
    x_6 = add_i32(x_6, i_q_1 * ((N + 2047) / 524288) + i_q_1 + i_x_6 < (N + 2047) / 2048 ? parts[i_q_1 * ((N + 2047) / 524288) + i_q_1 + i_x_6] : 0);
    if (i_q_1 * ((N + 2047) / 524288) + i_q_1 + i_x_6 < (N + 2047) / 2048) {
      stored[i_q_1 * ((N + 2047) / 524288) + i_q_1 + i_x_6] = x_6;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) prefix_sum_2(
    const int* __restrict__ xs,
    const int* __restrict__ stored,
    int* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_13[2048];
  __shared__ __align__(16) int parts_2[2048];
  __shared__ __align__(16) int stored_14[256];
  __shared__ __align__(16) int parts_3[256];
  const int i_q_2 = blockIdx.x;
  const int i_strip_1 = threadIdx.x;
  for (int i_x_7 = 0; i_x_7 < 8; i_x_7++) {
    parts_2[i_x_7 * 256 + i_strip_1] = i_q_2 * 2048 + i_x_7 * 256 + i_strip_1 < N ? xs[i_q_2 * 2048 + i_x_7 * 256 + i_strip_1] : 0;
  }
  const int i_part_3 = threadIdx.x;
  int x_7;
  x_7 = 0;
  __syncthreads();
  for (int i_x_8 = 0; i_x_8 < 8; i_x_8++) {
    x_7 = add_i32(x_7, parts_2[i_part_3 * 8 + i_x_8]);
  }
  parts_3[i_part_3] = x_7;
  int stored_15;
  int ys_6;
  int ys_7;
  int ys_8;
  int ys_9;
  int ys_10;
  int ys_11;
  int x_8;
  x_8 = 0;
  __syncthreads();
  for (int i_x_9 = 0; i_x_9 < 8; i_x_9++) {
    x_8 = add_i32(x_8, parts_3[lane * 8 + i_x_9]);
  }
  ys_11 = x_8;
  ys_10 = add_i32(0, ys_11);
  const int ys_10_of_lane = __shfl_sync(0xffffffff, ys_10, lane - 1);
  const int p_1_5 = 0 < lane ? ys_10_of_lane : 0;
  ys_9 = add_i32(p_1_5, ys_10);
  const int ys_9_of_lane = __shfl_sync(0xffffffff, ys_9, lane - 2);
  const int p_1_6 = 1 < lane ? ys_9_of_lane : 0;
  ys_8 = add_i32(p_1_6, ys_9);
  const int ys_8_of_lane = __shfl_sync(0xffffffff, ys_8, lane - 4);
  const int p_1_7 = 3 < lane ? ys_8_of_lane : 0;
  ys_7 = add_i32(p_1_7, ys_8);
  const int ys_7_of_lane = __shfl_sync(0xffffffff, ys_7, lane - 8);
  const int p_1_8 = 7 < lane ? ys_7_of_lane : 0;
  ys_6 = add_i32(p_1_8, ys_7);
  const int ys_6_of_lane = __shfl_sync(0xffffffff, ys_6, lane - 16);
  const int p_1_9 = 15 < lane ? ys_6_of_lane : 0;
  stored_15 = add_i32(p_1_9, ys_6);
  int x_9;
  const int stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, lane - 1);
  x_9 = 0 < lane ? stored_15_of_lane : 0;
  for (int i_x_11 = 0; i_x_11 < 8; i_x_11++) {
    x_9 = add_i32(x_9, parts_3[lane * 8 + i_x_11]);
    if (warp < 1) {
      const int once = warp;
      stored_14[lane * 8 + i_x_11] = x_9;
    }
  }
  const int i_q_4 = threadIdx.x;
  int x_10;
  __syncthreads();
  x_10 = 0 < i_q_4 ? stored_14[i_q_4 - 1] : 0;
  for (int i_x_12 = 0; i_x_12 < 8; i_x_12++) {
    x_10 = add_i32(x_10, parts_2[i_q_4 * 8 + i_x_12]);
    stored_13[i_q_4 * 8 + i_x_12] = x_10;
  }
  const int i_strip_2 = threadIdx.x;
  __syncthreads();
  for (int i_x_13 = 0; i_x_13 < min_i32(max_i32(0, ceil_div_i32(N - i_strip_2, 256) - i_q_2 * 8), 8); i_x_13++) {
    output[i_q_2 * 2048 + i_x_13 * 256 + i_strip_2] = add_i32(0 < i_q_2 ? stored[i_q_2 - 1] : 0, stored_13[i_x_13 * 256 + i_strip_2]);
  }
}
