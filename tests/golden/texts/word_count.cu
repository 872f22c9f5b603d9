// word_count(text: N.u8) -> i32 for all N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) word_count(
    const unsigned char* __restrict__ text,
    int* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums_by_warp[8];
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
  int sum_by_lane32;
  sum_by_lane32 = 0;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    int chosen;
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    if (at_n < N) {
      const unsigned char padded_text = 0 < at_n && at_n < N + 1 ? text[n_block * 2048 + n_warp * 32 + lane + n_strip * 256 - 1] : 0;
      chosen = padded_text == 0 && text[at_n] != 0 ? 1 : 0;
    } else {
      chosen = 0;
    }
    sum_by_lane32 = add_i32(sum_by_lane32, chosen);
  }
  const int other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = add_i32(sum_by_lane32, other_sum_by_lane32);
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
    sums_by_warp[n_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = add_i32(sums_by_warp[lane], sums_by_warp[lane + 4]);
  }
  const int other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = add_i32(sum_by_warp4, other_sum_by_warp4);
  }
  const int other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const int other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = add_i32(other0_sum_by_warp2, other1_sum_by_warp2);
  if (threadIdx.x < 1) {
    sums_by_block[n_block] = sum_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) word_count_1(
    const int* __restrict__ sums_by_block,
    int* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums[8];
  int sum_by_warp1;
  int sum_by_warp2;
  int sum_by_warp4;
  const int warp = threadIdx.x / 32;
  int sum_by_lane1;
  int sum_by_lane2;
  int sum_by_lane4;
  int sum_by_lane8;
  int sum_by_lane16;
  int sum_by_lane32;
  sum_by_lane32 = 0;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    sum_by_lane32 = add_i32(sum_by_lane32, at_j < (N + 2047) / 2048 ? sums_by_block[at_j] : 0);
  }
  const int other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = add_i32(sum_by_lane32, other_sum_by_lane32);
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
    sums[warp] = sum_by_lane1;
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
    output[0] = sum_by_warp1;
  }
}
