// rank_sort(xs: N.i32) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ long long add_i64(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) rank_sort(
    const int* __restrict__ xs,
    int* __restrict__ numbered,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    numbered[n] = xs[n];
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_1(
    long long* __restrict__ numbered_1,
    const int N
) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) {
    numbered_1[i] = (long long)i;
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_2(
    const int* __restrict__ numbered,
    const long long* __restrict__ numbered_1,
    long long* __restrict__ ranks,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) long long stored[8];
  const int i = blockIdx.x;
  long long stored_1;
  long long stored_2;
  long long stored_3;
  const int j = threadIdx.x / 32;
  long long stored_4;
  long long stored_5;
  long long stored_6;
  long long stored_7;
  long long stored_8;
  long long stored_9;
  long long x;
  x = 0LL;
  for (int k = 0; k < (N + 255) / 256; k++) {
    long long chosen;
    if (k * 256 + j * 32 + lane < N) {
      const long long x_1 = numbered[k * 256 + j * 32 + lane] < numbered[i] || (numbered[k * 256 + j * 32 + lane] == numbered[i] && numbered_1[k * 256 + j * 32 + lane] < numbered_1[i]) ? 1LL : 0LL;
      chosen = x_1;
    }
    if (N < k * 256 + j * 32 + lane + 1) {
      chosen = 0LL;
    }
    x = add_i64(x, chosen);
  }
  stored_9 = x;
  const long long stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = add_i64(stored_9, stored_of_lane);
  }
  const long long stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = add_i64(stored_8, stored_of_lane_1);
  }
  const long long stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = add_i64(stored_7, stored_of_lane_2);
  }
  const long long stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = add_i64(stored_6, stored_of_lane_3);
  }
  const long long stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const long long stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = add_i64(stored_of_lane_4, stored_of_lane_5);
  long long x_1;
  x_1 = 0LL;
  x_1 = add_i64(x_1, stored_4);
  if (lane < 1) {
    stored[j] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int j_1 = lane;
    stored_3 = add_i64(stored[j_1], stored[j_1 + 4]);
  }
  const long long stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = add_i64(stored_3, stored_of_lane_6);
  }
  const long long stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const long long stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = add_i64(stored_of_lane_7, stored_of_lane_8);
  long long x_2;
  x_2 = 0LL;
  x_2 = add_i64(x_2, stored_1);
  if (threadIdx.x < 1) {
    ranks[i] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_3(
    const int* __restrict__ xs,
    const long long* __restrict__ ranks,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored[8];
  const int n_block = blockIdx.x;
  int stored_1;
  int stored_2;
  int stored_3;
  const int n_warp = threadIdx.x / 32;
  int stored_4;
  int stored_5;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int x;
  x = 0;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    const int x_1 = add_i32(x, n_strip * 256 + n_warp * 32 + lane < N ? (ranks[n_strip * 256 + n_warp * 32 + lane] == (long long)n_block ? xs[n_strip * 256 + n_warp * 32 + lane] : 0) : 0);
    x = x_1;
  }
  stored_9 = x;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = add_i32(stored_9, stored_of_lane);
  }
  const int stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = add_i32(stored_8, stored_of_lane_1);
  }
  const int stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = add_i32(stored_7, stored_of_lane_2);
  }
  const int stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = add_i32(stored_6, stored_of_lane_3);
  }
  const int stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const int stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = add_i32(stored_of_lane_4, stored_of_lane_5);
  int x_1;
  x_1 = 0;
  x_1 = add_i32(x_1, stored_4);
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = add_i32(stored[n_lane], stored[n_lane + 4]);
  }
  const int stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = add_i32(stored_3, stored_of_lane_6);
  }
  const int stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const int stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = add_i32(stored_of_lane_7, stored_of_lane_8);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_1);
  if (threadIdx.x < 1) {
    output[n_block] = x_2;
  }
}
