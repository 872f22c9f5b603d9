// max_subarray(xs: N.i32) -> i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(1) max_subarray(
    const int* __restrict__ xs,
    int* __restrict__ ending,
    const int N
) {
  int ending_from_xs;
  ending_from_xs = 0;
  for (int n = 0; n < N; n++) {
    ending_from_xs = max_i32(add_i32(ending_from_xs, xs[n]), 0);
    ending[n] = ending_from_xs;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_1(
    int* __restrict__ maxima_by_block,
    const int* __restrict__ ending,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int maxima_by_warp[8];
  const int block = blockIdx.x;
  int maximum_by_warp1;
  int maximum_by_warp2;
  int maximum_by_warp4;
  const int warp = threadIdx.x / 32;
  int maximum_by_lane1;
  int maximum_by_lane2;
  int maximum_by_lane4;
  int maximum_by_lane8;
  int maximum_by_lane16;
  int maximum_by_lane32;
  maximum_by_lane32 = 0;
  for (int k = 0; k < 8; k++) {
    const int at_k = block * 2048 + warp * 32 + lane + k * 256;
    maximum_by_lane32 = max_i32(maximum_by_lane32, at_k < N ? ending[at_k] : 0);
  }
  const int other_maximum_by_lane32 = __shfl_sync(0xffffffff, maximum_by_lane32, lane + 16);
  if (lane < 16) {
    maximum_by_lane16 = max_i32(maximum_by_lane32, other_maximum_by_lane32);
  }
  const int other_maximum_by_lane16 = __shfl_sync(0xffffffff, maximum_by_lane16, lane + 8);
  if (lane < 8) {
    maximum_by_lane8 = max_i32(maximum_by_lane16, other_maximum_by_lane16);
  }
  const int other_maximum_by_lane8 = __shfl_sync(0xffffffff, maximum_by_lane8, lane + 4);
  if (lane < 4) {
    maximum_by_lane4 = max_i32(maximum_by_lane8, other_maximum_by_lane8);
  }
  const int other_maximum_by_lane4 = __shfl_sync(0xffffffff, maximum_by_lane4, lane + 2);
  if (lane < 2) {
    maximum_by_lane2 = max_i32(maximum_by_lane4, other_maximum_by_lane4);
  }
  const int other0_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 0);
  const int other1_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 1);
  maximum_by_lane1 = max_i32(other0_maximum_by_lane2, other1_maximum_by_lane2);
  int maximum_of_warp;
  maximum_of_warp = 0;
  maximum_of_warp = max_i32(maximum_of_warp, maximum_by_lane1);
  if (lane < 1) {
    maxima_by_warp[warp] = maximum_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    maximum_by_warp4 = max_i32(maxima_by_warp[lane], maxima_by_warp[lane + 4]);
  }
  const int other_maximum_by_warp4 = __shfl_sync(0xffffffff, maximum_by_warp4, lane + 2);
  if (lane < 2) {
    maximum_by_warp2 = max_i32(maximum_by_warp4, other_maximum_by_warp4);
  }
  const int other0_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 0);
  const int other1_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 1);
  maximum_by_warp1 = max_i32(other0_maximum_by_warp2, other1_maximum_by_warp2);
  int maximum_of_block;
  maximum_of_block = 0;
  maximum_of_block = max_i32(maximum_of_block, maximum_by_warp1);
  if (threadIdx.x < 1) {
    maxima_by_block[block] = maximum_of_block;
  }
}

extern "C" __global__ void __launch_bounds__(256) max_subarray_2(
    const int* __restrict__ maxima_by_block,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int maxima[8];
  int maximum_by_warp1;
  int maximum_by_warp2;
  int maximum_by_warp4;
  const int warp = threadIdx.x / 32;
  int maximum_by_lane1;
  int maximum_by_lane2;
  int maximum_by_lane4;
  int maximum_by_lane8;
  int maximum_by_lane16;
  int maximum_by_lane32;
  maximum_by_lane32 = 0;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    maximum_by_lane32 = max_i32(maximum_by_lane32, at_j < (N + 2047) / 2048 ? maxima_by_block[at_j] : 0);
  }
  const int other_maximum_by_lane32 = __shfl_sync(0xffffffff, maximum_by_lane32, lane + 16);
  if (lane < 16) {
    maximum_by_lane16 = max_i32(maximum_by_lane32, other_maximum_by_lane32);
  }
  const int other_maximum_by_lane16 = __shfl_sync(0xffffffff, maximum_by_lane16, lane + 8);
  if (lane < 8) {
    maximum_by_lane8 = max_i32(maximum_by_lane16, other_maximum_by_lane16);
  }
  const int other_maximum_by_lane8 = __shfl_sync(0xffffffff, maximum_by_lane8, lane + 4);
  if (lane < 4) {
    maximum_by_lane4 = max_i32(maximum_by_lane8, other_maximum_by_lane8);
  }
  const int other_maximum_by_lane4 = __shfl_sync(0xffffffff, maximum_by_lane4, lane + 2);
  if (lane < 2) {
    maximum_by_lane2 = max_i32(maximum_by_lane4, other_maximum_by_lane4);
  }
  const int other0_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 0);
  const int other1_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 1);
  maximum_by_lane1 = max_i32(other0_maximum_by_lane2, other1_maximum_by_lane2);
  int maximum_of_warp;
  maximum_of_warp = 0;
  maximum_of_warp = max_i32(maximum_of_warp, maximum_by_lane1);
  if (lane < 1) {
    maxima[warp] = maximum_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    maximum_by_warp4 = max_i32(maxima[lane], maxima[lane + 4]);
  }
  const int other_maximum_by_warp4 = __shfl_sync(0xffffffff, maximum_by_warp4, lane + 2);
  if (lane < 2) {
    maximum_by_warp2 = max_i32(maximum_by_warp4, other_maximum_by_warp4);
  }
  const int other0_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 0);
  const int other1_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 1);
  maximum_by_warp1 = max_i32(other0_maximum_by_warp2, other1_maximum_by_warp2);
  int maximum;
  maximum = 0;
  maximum = max_i32(maximum, maximum_by_warp1);
  if (threadIdx.x < 1) {
    output[0] = maximum;
  }
}
