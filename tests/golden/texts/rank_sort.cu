// rank_sort(xs: N.i32) -> N.i32 for all N
// for sm_80

__device__ __forceinline__ long long add_i64(long long a, long long b) { return (long long)((unsigned long long)a + (unsigned long long)b); }

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) rank_sort(
    const int* __restrict__ xs,
    long long* __restrict__ ranks_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) long long ranks_by_warp8[8];
  const int n_block = blockIdx.x;
  long long ranks_by_warp1;
  long long ranks_by_warp2;
  long long ranks_by_warp4;
  const int n_warp = threadIdx.x / 32;
  long long ranks_by_lane1;
  long long ranks_by_lane2;
  long long ranks_by_lane4;
  long long ranks_by_lane8;
  long long ranks_by_lane16;
  long long ranks_by_lane32;
  ranks_by_lane32 = 0LL;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    long long chosen;
    const int at_n = n_warp * 32 + lane + n_strip * 256;
    if (at_n < N) {
      chosen = xs[at_n] < xs[n_block] || (xs[at_n] == xs[n_block] && (long long)at_n < (long long)n_block) ? 1LL : 0LL;
    } else {
      chosen = 0LL;
    }
    ranks_by_lane32 = add_i64(ranks_by_lane32, chosen);
  }
  const long long other_ranks_by_lane32 = __shfl_sync(0xffffffff, ranks_by_lane32, lane + 16);
  if (lane < 16) {
    ranks_by_lane16 = add_i64(ranks_by_lane32, other_ranks_by_lane32);
  }
  const long long other_ranks_by_lane16 = __shfl_sync(0xffffffff, ranks_by_lane16, lane + 8);
  if (lane < 8) {
    ranks_by_lane8 = add_i64(ranks_by_lane16, other_ranks_by_lane16);
  }
  const long long other_ranks_by_lane8 = __shfl_sync(0xffffffff, ranks_by_lane8, lane + 4);
  if (lane < 4) {
    ranks_by_lane4 = add_i64(ranks_by_lane8, other_ranks_by_lane8);
  }
  const long long other_ranks_by_lane4 = __shfl_sync(0xffffffff, ranks_by_lane4, lane + 2);
  if (lane < 2) {
    ranks_by_lane2 = add_i64(ranks_by_lane4, other_ranks_by_lane4);
  }
  const long long other0_ranks_by_lane2 = __shfl_sync(0xffffffff, ranks_by_lane2, 0);
  const long long other1_ranks_by_lane2 = __shfl_sync(0xffffffff, ranks_by_lane2, 1);
  ranks_by_lane1 = add_i64(other0_ranks_by_lane2, other1_ranks_by_lane2);
  if (lane < 1) {
    ranks_by_warp8[n_warp] = ranks_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    ranks_by_warp4 = add_i64(ranks_by_warp8[lane], ranks_by_warp8[lane + 4]);
  }
  const long long other_ranks_by_warp4 = __shfl_sync(0xffffffff, ranks_by_warp4, lane + 2);
  if (lane < 2) {
    ranks_by_warp2 = add_i64(ranks_by_warp4, other_ranks_by_warp4);
  }
  const long long other0_ranks_by_warp2 = __shfl_sync(0xffffffff, ranks_by_warp2, 0);
  const long long other1_ranks_by_warp2 = __shfl_sync(0xffffffff, ranks_by_warp2, 1);
  ranks_by_warp1 = add_i64(other0_ranks_by_warp2, other1_ranks_by_warp2);
  if (threadIdx.x < 1) {
    ranks_by_block[n_block] = ranks_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) rank_sort_1(
    const int* __restrict__ xs,
    const long long* __restrict__ ranks_by_block,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums[8];
  const int n_block = blockIdx.x;
  int sum_by_warp1;
  int sum_by_warp2;
  int sum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  int sum_by_lane1;
  int sum_by_lane2;
  int sum_by_lane4;
  int sum_by_lane8;
  int sum_by_lane16;
  int stored;
  stored = 0;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    const int at_n = n_warp * 32 + lane + n_strip * 256;
    stored = add_i32(stored, at_n < N ? (ranks_by_block[at_n] == (long long)n_block ? xs[at_n] : 0) : 0);
  }
  const int other_stored = __shfl_sync(0xffffffff, stored, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = add_i32(stored, other_stored);
  }
  const int other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = add_i32(sum_by_lane16, other_sum_by_lane16);
  }
  const int other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = add_i32(sum_by_lane8, other_sum_by_lane8);
  }
  const int other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = add_i32(sum_by_lane4, other_sum_by_lane4);
  }
  const int other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const int other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = add_i32(other0_sum_by_lane2, other1_sum_by_lane2);
  if (lane < 1) {
    sums[n_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = add_i32(sums[lane], sums[lane + 4]);
  }
  const int other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = add_i32(sum_by_warp4, other_sum_by_warp4);
  }
  const int other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const int other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = add_i32(other0_sum_by_warp2, other1_sum_by_warp2);
  if (threadIdx.x < 1) {
    output[n_block] = sum_by_warp1;
  }
}
