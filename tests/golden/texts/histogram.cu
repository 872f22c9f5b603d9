// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) histogram(
    const int* __restrict__ bins,
    const int* __restrict__ xs,
    int* __restrict__ output
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums[8];
  const int i_block = blockIdx.x;
  const int bin = bins[i_block];
  int sum_by_warp1;
  int sum_by_warp2;
  int sum_by_warp4;
  const int xs_i_warp = threadIdx.x / 32;
  int sum_by_lane1;
  int sum_by_lane2;
  int sum_by_lane4;
  int sum_by_lane8;
  int sum_by_lane16;
  int stored;
  stored = 0;
  stored = add_i32(stored, xs_i_warp * 32 + lane < 100 ? (xs[xs_i_warp * 32 + lane] == bin ? 1 : 0) : 0);
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
    sums[xs_i_warp] = sum_by_lane1;
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
    output[i_block] = sum_by_warp1;
  }
}
