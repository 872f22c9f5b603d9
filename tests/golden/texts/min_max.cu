// min_max(xs: N.f32) -> (f32, f32) for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) min_max(
    const float* __restrict__ xs,
    float* __restrict__ minima_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float minima_by_warp[8];
  const int n_block = blockIdx.x;
  float minimum_by_warp1;
  float minimum_by_warp2;
  float minimum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float minimum_by_lane1;
  float minimum_by_lane2;
  float minimum_by_lane4;
  float minimum_by_lane8;
  float minimum_by_lane16;
  float minimum_by_lane32;
  minimum_by_lane32 = __int_as_float(0x7f800000);
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    minimum_by_lane32 = min_f32(minimum_by_lane32, at_n < N ? xs[at_n] : __int_as_float(0x7f800000));
  }
  const float other_minimum_by_lane32 = __shfl_sync(0xffffffff, minimum_by_lane32, lane + 16);
  if (lane < 16) {
    minimum_by_lane16 = min_f32(minimum_by_lane32, other_minimum_by_lane32);
  }
  const float other_minimum_by_lane16 = __shfl_sync(0xffffffff, minimum_by_lane16, lane + 8);
  if (lane < 8) {
    minimum_by_lane8 = min_f32(minimum_by_lane16, other_minimum_by_lane16);
  }
  const float other_minimum_by_lane8 = __shfl_sync(0xffffffff, minimum_by_lane8, lane + 4);
  if (lane < 4) {
    minimum_by_lane4 = min_f32(minimum_by_lane8, other_minimum_by_lane8);
  }
  const float other_minimum_by_lane4 = __shfl_sync(0xffffffff, minimum_by_lane4, lane + 2);
  if (lane < 2) {
    minimum_by_lane2 = min_f32(minimum_by_lane4, other_minimum_by_lane4);
  }
  const float other0_minimum_by_lane2 = __shfl_sync(0xffffffff, minimum_by_lane2, 0);
  const float other1_minimum_by_lane2 = __shfl_sync(0xffffffff, minimum_by_lane2, 1);
  minimum_by_lane1 = min_f32(other0_minimum_by_lane2, other1_minimum_by_lane2);
  if (lane < 1) {
    minima_by_warp[n_warp] = minimum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    minimum_by_warp4 = min_f32(minima_by_warp[lane], minima_by_warp[lane + 4]);
  }
  const float other_minimum_by_warp4 = __shfl_sync(0xffffffff, minimum_by_warp4, lane + 2);
  if (lane < 2) {
    minimum_by_warp2 = min_f32(minimum_by_warp4, other_minimum_by_warp4);
  }
  const float other0_minimum_by_warp2 = __shfl_sync(0xffffffff, minimum_by_warp2, 0);
  const float other1_minimum_by_warp2 = __shfl_sync(0xffffffff, minimum_by_warp2, 1);
  minimum_by_warp1 = min_f32(other0_minimum_by_warp2, other1_minimum_by_warp2);
  if (threadIdx.x < 1) {
    minima_by_block[n_block] = minimum_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_1(
    float* __restrict__ minimum_by_warp1,
    const float* __restrict__ minima_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float minima[8];
  float minimum_by_warp2;
  float minimum_by_warp4;
  const int warp = threadIdx.x / 32;
  float minimum_by_lane1;
  float minimum_by_lane2;
  float minimum_by_lane4;
  float minimum_by_lane8;
  float minimum_by_lane16;
  float minimum_by_lane32;
  minimum_by_lane32 = __int_as_float(0x7f800000);
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    minimum_by_lane32 = min_f32(minimum_by_lane32, at_j < (N + 2047) / 2048 ? minima_by_block[at_j] : __int_as_float(0x7f800000));
  }
  const float other_minimum_by_lane32 = __shfl_sync(0xffffffff, minimum_by_lane32, lane + 16);
  if (lane < 16) {
    minimum_by_lane16 = min_f32(minimum_by_lane32, other_minimum_by_lane32);
  }
  const float other_minimum_by_lane16 = __shfl_sync(0xffffffff, minimum_by_lane16, lane + 8);
  if (lane < 8) {
    minimum_by_lane8 = min_f32(minimum_by_lane16, other_minimum_by_lane16);
  }
  const float other_minimum_by_lane8 = __shfl_sync(0xffffffff, minimum_by_lane8, lane + 4);
  if (lane < 4) {
    minimum_by_lane4 = min_f32(minimum_by_lane8, other_minimum_by_lane8);
  }
  const float other_minimum_by_lane4 = __shfl_sync(0xffffffff, minimum_by_lane4, lane + 2);
  if (lane < 2) {
    minimum_by_lane2 = min_f32(minimum_by_lane4, other_minimum_by_lane4);
  }
  const float other0_minimum_by_lane2 = __shfl_sync(0xffffffff, minimum_by_lane2, 0);
  const float other1_minimum_by_lane2 = __shfl_sync(0xffffffff, minimum_by_lane2, 1);
  minimum_by_lane1 = min_f32(other0_minimum_by_lane2, other1_minimum_by_lane2);
  if (lane < 1) {
    minima[warp] = minimum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    minimum_by_warp4 = min_f32(minima[lane], minima[lane + 4]);
  }
  const float other_minimum_by_warp4 = __shfl_sync(0xffffffff, minimum_by_warp4, lane + 2);
  if (lane < 2) {
    minimum_by_warp2 = min_f32(minimum_by_warp4, other_minimum_by_warp4);
  }
  const float other0_minimum_by_warp2 = __shfl_sync(0xffffffff, minimum_by_warp2, 0);
  const float other1_minimum_by_warp2 = __shfl_sync(0xffffffff, minimum_by_warp2, 1);
  if (threadIdx.x < 1) {
    minimum_by_warp1[0] = min_f32(other0_minimum_by_warp2, other1_minimum_by_warp2);
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_2(
    const float* __restrict__ xs,
    float* __restrict__ maxima_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float maxima_by_warp[8];
  const int n_block = blockIdx.x;
  float maximum_by_warp1;
  float maximum_by_warp2;
  float maximum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float maximum_by_lane1;
  float maximum_by_lane2;
  float maximum_by_lane4;
  float maximum_by_lane8;
  float maximum_by_lane16;
  float maximum_by_lane32;
  maximum_by_lane32 = -__int_as_float(0x7f800000);
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    maximum_by_lane32 = max_f32(maximum_by_lane32, at_n < N ? xs[at_n] : -__int_as_float(0x7f800000));
  }
  const float other_maximum_by_lane32 = __shfl_sync(0xffffffff, maximum_by_lane32, lane + 16);
  if (lane < 16) {
    maximum_by_lane16 = max_f32(maximum_by_lane32, other_maximum_by_lane32);
  }
  const float other_maximum_by_lane16 = __shfl_sync(0xffffffff, maximum_by_lane16, lane + 8);
  if (lane < 8) {
    maximum_by_lane8 = max_f32(maximum_by_lane16, other_maximum_by_lane16);
  }
  const float other_maximum_by_lane8 = __shfl_sync(0xffffffff, maximum_by_lane8, lane + 4);
  if (lane < 4) {
    maximum_by_lane4 = max_f32(maximum_by_lane8, other_maximum_by_lane8);
  }
  const float other_maximum_by_lane4 = __shfl_sync(0xffffffff, maximum_by_lane4, lane + 2);
  if (lane < 2) {
    maximum_by_lane2 = max_f32(maximum_by_lane4, other_maximum_by_lane4);
  }
  const float other0_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 0);
  const float other1_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 1);
  maximum_by_lane1 = max_f32(other0_maximum_by_lane2, other1_maximum_by_lane2);
  if (lane < 1) {
    maxima_by_warp[n_warp] = maximum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    maximum_by_warp4 = max_f32(maxima_by_warp[lane], maxima_by_warp[lane + 4]);
  }
  const float other_maximum_by_warp4 = __shfl_sync(0xffffffff, maximum_by_warp4, lane + 2);
  if (lane < 2) {
    maximum_by_warp2 = max_f32(maximum_by_warp4, other_maximum_by_warp4);
  }
  const float other0_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 0);
  const float other1_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 1);
  maximum_by_warp1 = max_f32(other0_maximum_by_warp2, other1_maximum_by_warp2);
  if (threadIdx.x < 1) {
    maxima_by_block[n_block] = maximum_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_3(
    const float* __restrict__ minimum_by_warp1,
    const float* __restrict__ maxima_by_block,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float maxima[8];
  float maximum_by_warp1;
  float maximum_by_warp2;
  float maximum_by_warp4;
  const int warp = threadIdx.x / 32;
  float maximum_by_lane1;
  float maximum_by_lane2;
  float maximum_by_lane4;
  float maximum_by_lane8;
  float maximum_by_lane16;
  float maximum_by_lane32;
  maximum_by_lane32 = -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    maximum_by_lane32 = max_f32(maximum_by_lane32, at_j < (N + 2047) / 2048 ? maxima_by_block[at_j] : -__int_as_float(0x7f800000));
  }
  const float other_maximum_by_lane32 = __shfl_sync(0xffffffff, maximum_by_lane32, lane + 16);
  if (lane < 16) {
    maximum_by_lane16 = max_f32(maximum_by_lane32, other_maximum_by_lane32);
  }
  const float other_maximum_by_lane16 = __shfl_sync(0xffffffff, maximum_by_lane16, lane + 8);
  if (lane < 8) {
    maximum_by_lane8 = max_f32(maximum_by_lane16, other_maximum_by_lane16);
  }
  const float other_maximum_by_lane8 = __shfl_sync(0xffffffff, maximum_by_lane8, lane + 4);
  if (lane < 4) {
    maximum_by_lane4 = max_f32(maximum_by_lane8, other_maximum_by_lane8);
  }
  const float other_maximum_by_lane4 = __shfl_sync(0xffffffff, maximum_by_lane4, lane + 2);
  if (lane < 2) {
    maximum_by_lane2 = max_f32(maximum_by_lane4, other_maximum_by_lane4);
  }
  const float other0_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 0);
  const float other1_maximum_by_lane2 = __shfl_sync(0xffffffff, maximum_by_lane2, 1);
  maximum_by_lane1 = max_f32(other0_maximum_by_lane2, other1_maximum_by_lane2);
  if (lane < 1) {
    maxima[warp] = maximum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    maximum_by_warp4 = max_f32(maxima[lane], maxima[lane + 4]);
  }
  const float other_maximum_by_warp4 = __shfl_sync(0xffffffff, maximum_by_warp4, lane + 2);
  if (lane < 2) {
    maximum_by_warp2 = max_f32(maximum_by_warp4, other_maximum_by_warp4);
  }
  const float other0_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 0);
  const float other1_maximum_by_warp2 = __shfl_sync(0xffffffff, maximum_by_warp2, 1);
  maximum_by_warp1 = max_f32(other0_maximum_by_warp2, other1_maximum_by_warp2);
  if (threadIdx.x < 1) {
    output_1st[0] = minimum_by_warp1[0];
    output_2nd[0] = maximum_by_warp1;
  }
}
