// cross_entropy(labels: B.idx[C], scores: B.C.f32) -> B.f32 for all B, C
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) cross_entropy(
    const long long* __restrict__ labels,
    const float* __restrict__ scores,
    float* __restrict__ output,
    const int C
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float top_by_warp8[8];
  __shared__ __align__(16) float sums[8];
  const int b_block = blockIdx.x;
  float top_by_warp1;
  float top_by_warp2;
  float top_by_warp4;
  float top_by_lane1;
  float top_by_lane2;
  float top_by_lane4;
  float top_by_lane8;
  float top_by_lane16;
  float top_by_lane32;
  top_by_lane32 = -__int_as_float(0x7f800000);
  for (int c_strip = 0; c_strip < (C + 255) / 256; c_strip++) {
    top_by_lane32 = max_f32(top_by_lane32, warp * 32 + lane + c_strip * 256 < C ? scores[b_block * C + warp * 32 + lane + c_strip * 256] : -__int_as_float(0x7f800000));
  }
  const float other_top_by_lane32 = __shfl_sync(0xffffffff, top_by_lane32, lane + 16);
  if (lane < 16) {
    top_by_lane16 = max_f32(top_by_lane32, other_top_by_lane32);
  }
  const float other_top_by_lane16 = __shfl_sync(0xffffffff, top_by_lane16, lane + 8);
  if (lane < 8) {
    top_by_lane8 = max_f32(top_by_lane16, other_top_by_lane16);
  }
  const float other_top_by_lane8 = __shfl_sync(0xffffffff, top_by_lane8, lane + 4);
  if (lane < 4) {
    top_by_lane4 = max_f32(top_by_lane8, other_top_by_lane8);
  }
  const float other_top_by_lane4 = __shfl_sync(0xffffffff, top_by_lane4, lane + 2);
  if (lane < 2) {
    top_by_lane2 = max_f32(top_by_lane4, other_top_by_lane4);
  }
  const float other0_top_by_lane2 = __shfl_sync(0xffffffff, top_by_lane2, 0);
  const float other1_top_by_lane2 = __shfl_sync(0xffffffff, top_by_lane2, 1);
  top_by_lane1 = max_f32(other0_top_by_lane2, other1_top_by_lane2);
  if (lane < 1) {
    top_by_warp8[warp] = top_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    top_by_warp4 = max_f32(top_by_warp8[lane], top_by_warp8[lane + 4]);
  }
  const float other_top_by_warp4 = __shfl_sync(0xffffffff, top_by_warp4, lane + 2);
  if (lane < 2) {
    top_by_warp2 = max_f32(top_by_warp4, other_top_by_warp4);
  }
  const float other0_top_by_warp2 = __shfl_sync(0xffffffff, top_by_warp2, 0);
  const float other1_top_by_warp2 = __shfl_sync(0xffffffff, top_by_warp2, 1);
  top_by_warp1 = max_f32(other0_top_by_warp2, other1_top_by_warp2);
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float stored;
  stored = 0.0f;
  for (int c_strip = 0; c_strip < (C + 255) / 256; c_strip++) {
    stored = stored + (warp * 32 + lane + c_strip * 256 < C ? expf(scores[b_block * C + warp * 32 + lane + c_strip * 256] - top_by_warp1) : 0.0f);
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
  const int labels_entry = (int)labels[b_block];
  if (threadIdx.x < 1) {
    output[b_block] = top_by_warp1 + logf(sum_by_warp1) - scores[b_block * C + labels_entry];
  }
}
