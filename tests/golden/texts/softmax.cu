// softmax(rows: 16.10.f32) -> 16.10.f32
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) softmax(
    const float* __restrict__ rows,
    float* __restrict__ output
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float top_by_warp8[8];
  __shared__ __align__(16) float total_by_warp8[8];
  const int row_block = blockIdx.x;
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
  top_by_lane32 = max_f32(top_by_lane32, warp * 32 + lane < 10 ? rows[warp * 32 + row_block * 10 + lane] : -__int_as_float(0x7f800000));
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
  float total_by_warp1;
  float total_by_warp2;
  float total_by_warp4;
  float total_by_lane1;
  float total_by_lane2;
  float total_by_lane4;
  float total_by_lane8;
  float total_by_lane16;
  float total_by_lane32;
  total_by_lane32 = 0.0f;
  total_by_lane32 = total_by_lane32 + (warp * 32 + lane < 10 ? expf(rows[warp * 32 + row_block * 10 + lane] - top_by_warp1) : 0.0f);
  const float other_total_by_lane32 = __shfl_sync(0xffffffff, total_by_lane32, lane + 16);
  if (lane < 16) {
    total_by_lane16 = total_by_lane32 + other_total_by_lane32;
  }
  const float other_total_by_lane16 = __shfl_sync(0xffffffff, total_by_lane16, lane + 8);
  if (lane < 8) {
    total_by_lane8 = total_by_lane16 + other_total_by_lane16;
  }
  const float other_total_by_lane8 = __shfl_sync(0xffffffff, total_by_lane8, lane + 4);
  if (lane < 4) {
    total_by_lane4 = total_by_lane8 + other_total_by_lane8;
  }
  const float other_total_by_lane4 = __shfl_sync(0xffffffff, total_by_lane4, lane + 2);
  if (lane < 2) {
    total_by_lane2 = total_by_lane4 + other_total_by_lane4;
  }
  const float other0_total_by_lane2 = __shfl_sync(0xffffffff, total_by_lane2, 0);
  const float other1_total_by_lane2 = __shfl_sync(0xffffffff, total_by_lane2, 1);
  total_by_lane1 = other0_total_by_lane2 + other1_total_by_lane2;
  if (lane < 1) {
    total_by_warp8[warp] = total_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    total_by_warp4 = total_by_warp8[lane] + total_by_warp8[lane + 4];
  }
  const float other_total_by_warp4 = __shfl_sync(0xffffffff, total_by_warp4, lane + 2);
  if (lane < 2) {
    total_by_warp2 = total_by_warp4 + other_total_by_warp4;
  }
  const float other0_total_by_warp2 = __shfl_sync(0xffffffff, total_by_warp2, 0);
  const float other1_total_by_warp2 = __shfl_sync(0xffffffff, total_by_warp2, 1);
  total_by_warp1 = other0_total_by_warp2 + other1_total_by_warp2;
  if (threadIdx.x < 10) {
    const int column_thread = threadIdx.x;
    output[row_block * 10 + column_thread] = expf(rows[row_block * 10 + column_thread] - top_by_warp1) / total_by_warp1;
  }
}
