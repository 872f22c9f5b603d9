// rank_sort(xs: N.i32) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ long long add_i64(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) rank_sort(
    const int* __restrict__ xs,
    int* __restrict__ numbered,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    numbered[i_x] = xs[i_x];
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_1(
    long long* __restrict__ numbered_1,
    const int N
) {
  for (int i_x_1 = blockIdx.x * 256 + threadIdx.x; i_x_1 < N; i_x_1 += gridDim.x * 256) {
    numbered_1[i_x_1] = (long long)i_x_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_2(
    const int* __restrict__ numbered,
    const long long* __restrict__ numbered_1,
    long long* __restrict__ ranks,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) long long stored_3[8];
  const int i_x_2 = blockIdx.x;
  long long stored;
  long long stored_1;
  long long stored_2;
  const int i_x_3 = threadIdx.x / 32;
  long long stored_4;
  long long stored_5;
  long long stored_6;
  long long stored_7;
  long long stored_8;
  long long stored_9;
  long long x;
  x = 0LL;
  for (int i_x_4 = 0; i_x_4 < (N + 255) / 256; i_x_4++) {
    long long chosen;
    if (i_x_4 * 256 + i_x_3 * 32 + lane < N) {
      const long long x_1 = numbered[i_x_4 * 256 + i_x_3 * 32 + lane] < numbered[i_x_2] || (numbered[i_x_4 * 256 + i_x_3 * 32 + lane] == numbered[i_x_2] && numbered_1[i_x_4 * 256 + i_x_3 * 32 + lane] < numbered_1[i_x_2]) ? 1LL : 0LL;
      chosen = x_1;
    }
    if (N < i_x_4 * 256 + i_x_3 * 32 + lane + 1) {
      chosen = 0LL;
    }
    x = add_i64(x, chosen);
  }
  stored_9 = x;
  const long long stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = add_i64(stored_9, stored_9_of_lane);
  }
  const long long stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = add_i64(stored_8, stored_8_of_lane);
  }
  const long long stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = add_i64(stored_7, stored_7_of_lane);
  }
  const long long stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = add_i64(stored_6, stored_6_of_lane);
  }
  const long long stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, 0);
  const long long stored_5_of_lane_1 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = add_i64(stored_5_of_lane, stored_5_of_lane_1);
  long long x_2;
  x_2 = 0LL;
  x_2 = add_i64(x_2, stored_4);
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_3] = x_2;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = add_i64(stored_3[i_p_4], stored_3[i_p_4 + 4]);
  }
  const long long stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = add_i64(stored_2, stored_2_of_lane);
  }
  const long long stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const long long stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = add_i64(stored_1_of_lane, stored_1_of_lane_1);
  long long x_3;
  x_3 = 0LL;
  x_3 = add_i64(x_3, stored);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    ranks[i_x_2] = x_3;
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_3(
    const int* __restrict__ xs,
    const long long* __restrict__ ranks,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_13[8];
  const int i_place = blockIdx.x;
  int stored_10;
  int stored_11;
  int stored_12;
  const int i_x_5 = threadIdx.x / 32;
  int stored_14;
  int stored_15;
  int stored_16;
  int stored_17;
  int stored_18;
  int stored_19;
  int x_4;
  x_4 = 0;
  for (int i_x_6 = 0; i_x_6 < (N + 255) / 256; i_x_6++) {
    const int x_5 = add_i32(x_4, i_x_6 * 256 + i_x_5 * 32 + lane < N ? (ranks[i_x_6 * 256 + i_x_5 * 32 + lane] == (long long)i_place ? xs[i_x_6 * 256 + i_x_5 * 32 + lane] : 0) : 0);
    x_4 = x_5;
  }
  stored_19 = x_4;
  const int stored_19_of_lane = __shfl_sync(0xffffffff, stored_19, lane + 16);
  if (lane < 16) {
    stored_18 = add_i32(stored_19, stored_19_of_lane);
  }
  const int stored_18_of_lane = __shfl_sync(0xffffffff, stored_18, lane + 8);
  if (lane < 8) {
    stored_17 = add_i32(stored_18, stored_18_of_lane);
  }
  const int stored_17_of_lane = __shfl_sync(0xffffffff, stored_17, lane + 4);
  if (lane < 4) {
    stored_16 = add_i32(stored_17, stored_17_of_lane);
  }
  const int stored_16_of_lane = __shfl_sync(0xffffffff, stored_16, lane + 2);
  if (lane < 2) {
    stored_15 = add_i32(stored_16, stored_16_of_lane);
  }
  const int stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, 0);
  const int stored_15_of_lane_1 = __shfl_sync(0xffffffff, stored_15, 1);
  stored_14 = add_i32(stored_15_of_lane, stored_15_of_lane_1);
  int x_6;
  x_6 = 0;
  x_6 = add_i32(x_6, stored_14);
  if (lane < 1) {
    const int once = lane;
    stored_13[i_x_5] = x_6;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_12 = add_i32(stored_13[i_p_10], stored_13[i_p_10 + 4]);
  }
  const int stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = add_i32(stored_12, stored_12_of_lane);
  }
  const int stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const int stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = add_i32(stored_11_of_lane, stored_11_of_lane_1);
  int x_7;
  x_7 = 0;
  x_7 = add_i32(x_7, stored_10);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[i_place] = x_7;
  }
}
