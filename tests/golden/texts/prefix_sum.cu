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
  __shared__ __align__(16) int stored_1[8];
  const int n_block = blockIdx.x;
  int stored_2;
  int stored_3;
  int stored_4;
  const int n_warp = threadIdx.x / 32;
  int stored_5;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int stored_10;
  int x;
  x = 0;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    x = add_i32(x, n_block * 2048 + n_strip * 256 + n_warp * 32 + lane < N ? xs[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] : 0);
  }
  stored_10 = x;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = add_i32(stored_10, stored_of_lane);
  }
  const int stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = add_i32(stored_9, stored_of_lane_1);
  }
  const int stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = add_i32(stored_8, stored_of_lane_2);
  }
  const int stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = add_i32(stored_7, stored_of_lane_3);
  }
  const int stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const int stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = add_i32(stored_of_lane_4, stored_of_lane_5);
  int x_1;
  x_1 = 0;
  x_1 = add_i32(x_1, stored_5);
  if (lane < 1) {
    stored_1[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_4 = add_i32(stored_1[n_lane], stored_1[n_lane + 4]);
  }
  const int stored_of_lane_6 = __shfl_sync(0xffffffff, stored_4, lane + 2);
  if (lane < 2) {
    stored_3 = add_i32(stored_4, stored_of_lane_6);
  }
  const int stored_of_lane_7 = __shfl_sync(0xffffffff, stored_3, 0);
  const int stored_of_lane_8 = __shfl_sync(0xffffffff, stored_3, 1);
  stored_2 = add_i32(stored_of_lane_7, stored_of_lane_8);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_2);
  if (threadIdx.x < 1) {
    parts[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) prefix_sum_1(
    int* __restrict__ stored,
    const int* __restrict__ parts,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_1[256];
  __shared__ __align__(16) int parts_1[256];
  const int i = threadIdx.x;
  int x;
  x = 0;
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    x = add_i32(x, i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048 ? parts[i * ((N + 2047) / 524288) + i + j] : 0);
  }
  parts_1[i] = x;
  int stored_2;
  int ys;
  int ys_1;
  int ys_2;
  int ys_3;
  int ys_4;
  int ys_5;
  int x_1;
  x_1 = 0;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    x_1 = add_i32(x_1, parts_1[lane * 8 + j]);
  }
  ys_5 = x_1;
  ys_4 = add_i32(0, ys_5);
  const int ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const int p = 0 < lane ? ys_of_lane : 0;
  ys_3 = add_i32(p, ys_4);
  const int ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const int p_1 = 1 < lane ? ys_of_lane_1 : 0;
  ys_2 = add_i32(p_1, ys_3);
  const int ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const int p_2 = 3 < lane ? ys_of_lane_2 : 0;
  ys_1 = add_i32(p_2, ys_2);
  const int ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const int p_3 = 7 < lane ? ys_of_lane_3 : 0;
  ys = add_i32(p_3, ys_1);
  const int ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const int p_4 = 15 < lane ? ys_of_lane_4 : 0;
  stored_2 = add_i32(p_4, ys);
  int x_2;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_2, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : 0;
  for (int j = 0; j < 8; j++) {
    x_2 = add_i32(x_2, parts_1[lane * 8 + j]);
    if (warp < 1) {
      stored_1[lane * 8 + j] = x_2;
    }
  }
  int x_3;
  __syncthreads();
  x_3 = 0 < i ? stored_1[i - 1] : 0;
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    x_3 = add_i32(x_3, i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048 ? parts[i * ((N + 2047) / 524288) + i + j] : 0);
    if (i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048) {
      stored[i * ((N + 2047) / 524288) + i + j] = x_3;
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
  __shared__ __align__(16) int stored_1[2048];
  __shared__ __align__(16) int xs_tile[2048];
  __shared__ __align__(16) int stored_2[256];
  __shared__ __align__(16) int parts_1[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    xs_tile[n_strip * 256 + n_thread] = n_block * 2048 + n_strip * 256 + n_thread < N ? xs[n_block * 2048 + n_strip * 256 + n_thread] : 0;
  }
  const int i = threadIdx.x;
  int x;
  x = 0;
  __syncthreads();
  for (int n = 0; n < 8; n++) {
    x = add_i32(x, xs_tile[i * 8 + n]);
  }
  parts_1[i] = x;
  int stored_3;
  int ys;
  int ys_1;
  int ys_2;
  int ys_3;
  int ys_4;
  int ys_5;
  int x_1;
  x_1 = 0;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    x_1 = add_i32(x_1, parts_1[lane * 8 + j]);
  }
  ys_5 = x_1;
  ys_4 = add_i32(0, ys_5);
  const int ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const int p = 0 < lane ? ys_of_lane : 0;
  ys_3 = add_i32(p, ys_4);
  const int ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const int p_1 = 1 < lane ? ys_of_lane_1 : 0;
  ys_2 = add_i32(p_1, ys_3);
  const int ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const int p_2 = 3 < lane ? ys_of_lane_2 : 0;
  ys_1 = add_i32(p_2, ys_2);
  const int ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const int p_3 = 7 < lane ? ys_of_lane_3 : 0;
  ys = add_i32(p_3, ys_1);
  const int ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const int p_4 = 15 < lane ? ys_of_lane_4 : 0;
  stored_3 = add_i32(p_4, ys);
  int x_2;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_3, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : 0;
  for (int j = 0; j < 8; j++) {
    x_2 = add_i32(x_2, parts_1[lane * 8 + j]);
    if (warp < 1) {
      stored_2[lane * 8 + j] = x_2;
    }
  }
  int x_3;
  __syncthreads();
  x_3 = 0 < i ? stored_2[i - 1] : 0;
  for (int n = 0; n < 8; n++) {
    x_3 = add_i32(x_3, xs_tile[i * 8 + n]);
    stored_1[i * 8 + n] = x_3;
  }
  __syncthreads();
  for (int n_strip = 0; n_strip < min_i32(max_i32(0, ceil_div_i32(N - n_thread, 256) - n_block * 8), 8); n_strip++) {
    output[n_block * 2048 + n_strip * 256 + n_thread] = add_i32(0 < n_block ? stored[n_block - 1] : 0, stored_1[n_strip * 256 + n_thread]);
  }
}
