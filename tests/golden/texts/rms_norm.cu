// rms_norm(share: f32, scale: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
// for sm_80
extern "C" __global__ void __launch_bounds__(256) rms_norm(
    const float* __restrict__ scale,
    const float* __restrict__ batch,
    float* __restrict__ output,
    const float share,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  const int b_block = blockIdx.x;
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
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    float chosen;
    if (n_warp * 32 + lane + n_strip * 256 < N) {
      const float this_batch = batch[b_block * N + n_warp * 32 + lane + n_strip * 256];
      chosen = this_batch * this_batch;
    } else {
      chosen = 0.0f;
    }
    sum_by_lane32 = sum_by_lane32 + chosen;
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
    sums[n_warp] = sum_by_lane1;
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
  const float root = sqrtf(fabsf(share) * sum_by_warp1 + 1e-05f);
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[b_block * N + n_thread] = scale[n_thread] * (batch[b_block * N + n_thread] / root);
  }
}
