// asum(xs: N.f32) -> f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) asum(
    const float* __restrict__ xs,
    float* __restrict__ sums_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums_by_warp[8];
  const int n_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    sum_by_lane32 = sum_by_lane32 + (at_n < N ? fabsf(xs[at_n]) : 0.0f);
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums_by_warp[n_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums_by_warp[lane] + sums_by_warp[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    sums_by_block[n_block] = sum_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) asum_1(
    const float* __restrict__ sums_by_block,
    float* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    sum_by_lane32 = sum_by_lane32 + (at_j < (N + 2047) / 2048 ? sums_by_block[at_j] : 0.0f);
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums[warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums[lane] + sums[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    output[0] = sum_by_warp1;
  }
}
