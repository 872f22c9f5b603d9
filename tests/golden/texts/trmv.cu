// trmv(a: N.N.f32, x: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trmv(
    const float* __restrict__ a,
    const float* __restrict__ x,
    float* __restrict__ output,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  const int n_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int n_column_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float stored;
  stored = 0.0f;
  for (int n_column_strip = 0; n_column_strip < (N + 255) / 256; n_column_strip++) {
    const int at_n_column = n_column_warp * 32 + lane + n_column_strip * 256;
    stored = stored + (at_n_column < N ? ((long long)at_n_column <= (long long)n_block ? a[n_block * N + n_column_warp * 32 + lane + n_column_strip * 256] * x[at_n_column] : 0.0f) : 0.0f);
  }
  const float other_stored = __shfl_sync(0xffffffff, stored, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = stored + other_stored;
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
    sums[n_column_warp] = sum_by_lane1;
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
    output[n_block] = sum_by_warp1;
  }
}
