// prefix_sum(xs: N.i32) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int ceil_div_i32(int a, int b) { return a / b + (a % b > 0); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) prefix_sum(
    const int* __restrict__ xs,
    int* __restrict__ parts_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int parts_by_warp8[8];
  const int n_block = blockIdx.x;
  int parts_by_warp1;
  int parts_by_warp2;
  int parts_by_warp4;
  const int n_warp = threadIdx.x / 32;
  int parts_by_lane1;
  int parts_by_lane2;
  int parts_by_lane4;
  int parts_by_lane8;
  int parts_by_lane16;
  int parts_by_lane32;
  parts_by_lane32 = 0;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    parts_by_lane32 = add_i32(parts_by_lane32, at_n < N ? xs[at_n] : 0);
  }
  const int other_parts_by_lane32 = __shfl_sync(0xffffffff, parts_by_lane32, lane + 16);
  if (lane < 16) {
    parts_by_lane16 = add_i32(parts_by_lane32, other_parts_by_lane32);
  }
  const int other_parts_by_lane16 = __shfl_sync(0xffffffff, parts_by_lane16, lane + 8);
  if (lane < 8) {
    parts_by_lane8 = add_i32(parts_by_lane16, other_parts_by_lane16);
  }
  const int other_parts_by_lane8 = __shfl_sync(0xffffffff, parts_by_lane8, lane + 4);
  if (lane < 4) {
    parts_by_lane4 = add_i32(parts_by_lane8, other_parts_by_lane8);
  }
  const int other_parts_by_lane4 = __shfl_sync(0xffffffff, parts_by_lane4, lane + 2);
  if (lane < 2) {
    parts_by_lane2 = add_i32(parts_by_lane4, other_parts_by_lane4);
  }
  const int other0_parts_by_lane2 = __shfl_sync(0xffffffff, parts_by_lane2, 0);
  const int other1_parts_by_lane2 = __shfl_sync(0xffffffff, parts_by_lane2, 1);
  parts_by_lane1 = add_i32(other0_parts_by_lane2, other1_parts_by_lane2);
  if (lane < 1) {
    parts_by_warp8[n_warp] = parts_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    parts_by_warp4 = add_i32(parts_by_warp8[lane], parts_by_warp8[lane + 4]);
  }
  const int other_parts_by_warp4 = __shfl_sync(0xffffffff, parts_by_warp4, lane + 2);
  if (lane < 2) {
    parts_by_warp2 = add_i32(parts_by_warp4, other_parts_by_warp4);
  }
  const int other0_parts_by_warp2 = __shfl_sync(0xffffffff, parts_by_warp2, 0);
  const int other1_parts_by_warp2 = __shfl_sync(0xffffffff, parts_by_warp2, 1);
  parts_by_warp1 = add_i32(other0_parts_by_warp2, other1_parts_by_warp2);
  if (threadIdx.x < 1) {
    parts_by_block[n_block] = parts_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) prefix_sum_1(
    int* __restrict__ sums_by_thread,
    const int* __restrict__ parts_by_block,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums_by_lane[256];
  __shared__ __align__(16) int parts_by_thread[256];
  const int thread = threadIdx.x;
  int parts_of_thread;
  parts_of_thread = 0;
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    const int at_j = thread * ((N + 2047) / 524288) + thread + j;
    parts_of_thread = add_i32(parts_of_thread, at_j < (N + 2047) / 2048 ? parts_by_block[at_j] : 0);
  }
  parts_by_thread[thread] = parts_of_thread;
  int sum_by_lane;
  int ys_over16;
  int ys_over8;
  int ys_over4;
  int ys_over2;
  int ys_over1;
  int ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = 0;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    ys_over1_from_parts_by_thread = add_i32(ys_over1_from_parts_by_thread, parts_by_thread[lane * 8 + j]);
  }
  ys_over1 = add_i32(0, ys_over1_from_parts_by_thread);
  const int other_ys_over1 = __shfl_sync(0xffffffff, ys_over1, lane - 1);
  const int padded_other_ys_over1 = 0 < lane ? other_ys_over1 : 0;
  ys_over2 = add_i32(padded_other_ys_over1, ys_over1);
  const int other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const int padded_other_ys_over2 = 1 < lane ? other_ys_over2 : 0;
  ys_over4 = add_i32(padded_other_ys_over2, ys_over2);
  const int other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const int padded_other_ys_over4 = 3 < lane ? other_ys_over4 : 0;
  ys_over8 = add_i32(padded_other_ys_over4, ys_over4);
  const int other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const int padded_other_ys_over8 = 7 < lane ? other_ys_over8 : 0;
  ys_over16 = add_i32(padded_other_ys_over8, ys_over8);
  const int other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const int padded_other_ys_over16 = 15 < lane ? other_ys_over16 : 0;
  sum_by_lane = add_i32(padded_other_ys_over16, ys_over16);
  int sum_of_lane;
  const int other_sum_by_lane = __shfl_sync(0xffffffff, sum_by_lane, lane - 1);
  sum_of_lane = 0 < lane ? other_sum_by_lane : 0;
  for (int j = 0; j < 8; j++) {
    sum_of_lane = add_i32(sum_of_lane, parts_by_thread[lane * 8 + j]);
    if (warp < 1) {
      sums_by_lane[lane * 8 + j] = sum_of_lane;
    }
  }
  int sum_of_thread;
  __syncthreads();
  sum_of_thread = 0 < thread ? sums_by_lane[thread - 1] : 0;
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    const int at_j = thread * ((N + 2047) / 524288) + thread + j;
    sum_of_thread = add_i32(sum_of_thread, at_j < (N + 2047) / 2048 ? parts_by_block[at_j] : 0);
    if (at_j < (N + 2047) / 2048) {
      sums_by_thread[at_j] = sum_of_thread;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) prefix_sum_2(
    const int* __restrict__ xs,
    const int* __restrict__ sums_by_thread,
    int* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums_by_thread_1[2048];
  int* const parts_by_thread = sums_by_thread_1;
  __shared__ __align__(16) int xs_tile[2048];
  __shared__ __align__(16) int sums_by_lane[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_thread + n_strip * 256;
    xs_tile[n_thread + n_strip * 256] = at_n < N ? xs[at_n] : 0;
  }
  const int thread = threadIdx.x;
  int parts_of_thread;
  parts_of_thread = 0;
  __syncthreads();
  for (int n = 0; n < 8; n++) {
    parts_of_thread = add_i32(parts_of_thread, xs_tile[thread * 8 + n]);
  }
  parts_by_thread[thread] = parts_of_thread;
  int sum_by_lane;
  int ys_over16;
  int ys_over8;
  int ys_over4;
  int ys_over2;
  int ys_over1;
  int ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = 0;
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    ys_over1_from_parts_by_thread = add_i32(ys_over1_from_parts_by_thread, parts_by_thread[lane * 8 + j]);
  }
  ys_over1 = add_i32(0, ys_over1_from_parts_by_thread);
  const int other_ys_over1 = __shfl_sync(0xffffffff, ys_over1, lane - 1);
  const int padded_other_ys_over1 = 0 < lane ? other_ys_over1 : 0;
  ys_over2 = add_i32(padded_other_ys_over1, ys_over1);
  const int other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const int padded_other_ys_over2 = 1 < lane ? other_ys_over2 : 0;
  ys_over4 = add_i32(padded_other_ys_over2, ys_over2);
  const int other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const int padded_other_ys_over4 = 3 < lane ? other_ys_over4 : 0;
  ys_over8 = add_i32(padded_other_ys_over4, ys_over4);
  const int other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const int padded_other_ys_over8 = 7 < lane ? other_ys_over8 : 0;
  ys_over16 = add_i32(padded_other_ys_over8, ys_over8);
  const int other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const int padded_other_ys_over16 = 15 < lane ? other_ys_over16 : 0;
  sum_by_lane = add_i32(padded_other_ys_over16, ys_over16);
  int sum_of_lane;
  const int other_sum_by_lane = __shfl_sync(0xffffffff, sum_by_lane, lane - 1);
  sum_of_lane = 0 < lane ? other_sum_by_lane : 0;
  for (int j = 0; j < 8; j++) {
    sum_of_lane = add_i32(sum_of_lane, parts_by_thread[lane * 8 + j]);
    if (warp < 1) {
      sums_by_lane[lane * 8 + j] = sum_of_lane;
    }
  }
  int sum_of_thread;
  __syncthreads();
  sum_of_thread = 0 < thread ? sums_by_lane[thread - 1] : 0;
  for (int n = 0; n < 8; n++) {
    sum_of_thread = add_i32(sum_of_thread, xs_tile[thread * 8 + n]);
    sums_by_thread_1[thread * 8 + n] = sum_of_thread;
  }
  __syncthreads();
  for (int n_strip = 0; n_strip < min_i32(max_i32(0, ceil_div_i32(N - n_thread, 256) - n_block * 8), 8); n_strip++) {
    output[n_block * 2048 + n_thread + n_strip * 256] = add_i32(0 < n_block ? sums_by_thread[n_block - 1] : 0, sums_by_thread_1[n_thread + n_strip * 256]);
  }
}
