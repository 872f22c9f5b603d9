// min_max(xs: N.f32) -> (f32, f32) for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) min_max(
    const float* __restrict__ xs,
    float* __restrict__ stored_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_warp = threadIdx.x / 32;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float x;
  x = __int_as_float(0x7f800000);
  for (int n_step = 0; n_step < 8; n_step++) {
    x = min_f32(x, n_block * 2048 + n_step * 256 + n_warp * 32 + lane < N ? xs[n_block * 2048 + n_step * 256 + n_warp * 32 + lane] : __int_as_float(0x7f800000));
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = min_f32(stored_10, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = min_f32(stored_9, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = min_f32(stored_8, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = min_f32(stored_7, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = min_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = __int_as_float(0x7f800000);
  x_1 = min_f32(x_1, stored_5);
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = min_f32(stored[n_lane], stored[n_lane + 4]);
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = min_f32(stored_3, stored_of_lane_6);
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = min_f32(stored_of_lane_7, stored_of_lane_8);
  float x_2;
  x_2 = __int_as_float(0x7f800000);
  x_2 = min_f32(x_2, stored_1);
  if (threadIdx.x < 1) {
    stored_4[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_1(
    const float* __restrict__ stored_4,
    float* __restrict__ x_5,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  float stored_1;
  float stored_2;
  float stored_3;
  const int i = threadIdx.x / 32;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float x;
  x = __int_as_float(0x7f800000);
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = min_f32(x, j * 256 + i * 32 + lane < (N + 2047) / 2048 ? stored_4[j * 256 + i * 32 + lane] : __int_as_float(0x7f800000));
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = min_f32(stored_10, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = min_f32(stored_9, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = min_f32(stored_8, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = min_f32(stored_7, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = min_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = __int_as_float(0x7f800000);
  x_1 = min_f32(x_1, stored_5);
  if (lane < 1) {
    stored[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    stored_3 = min_f32(stored[i_1], stored[i_1 + 4]);
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = min_f32(stored_3, stored_of_lane_6);
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = min_f32(stored_of_lane_7, stored_of_lane_8);
  if (threadIdx.x < 1) {
    x_5[0] = __int_as_float(0x7f800000);
    x_5[0] = min_f32(x_5[0], stored_1);
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_2(
    const float* __restrict__ xs,
    float* __restrict__ stored_25,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_warp = threadIdx.x / 32;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int n_step = 0; n_step < 8; n_step++) {
    x = max_f32(x, n_block * 2048 + n_step * 256 + n_warp * 32 + lane < N ? xs[n_block * 2048 + n_step * 256 + n_warp * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = max_f32(stored_10, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = max_f32(stored_9, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = max_f32(stored_8, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = max_f32(stored_7, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = max_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  x_1 = max_f32(x_1, stored_5);
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = max_f32(stored[n_lane], stored[n_lane + 4]);
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = max_f32(stored_3, stored_of_lane_6);
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = max_f32(stored_of_lane_7, stored_of_lane_8);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, stored_1);
  if (threadIdx.x < 1) {
    stored_25[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) min_max_3(
    const float* __restrict__ x_5,
    const float* __restrict__ stored_25,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  float stored_1;
  float stored_2;
  float stored_3;
  const int i = threadIdx.x / 32;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = max_f32(x, j * 256 + i * 32 + lane < (N + 2047) / 2048 ? stored_25[j * 256 + i * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = max_f32(stored_10, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = max_f32(stored_9, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = max_f32(stored_8, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = max_f32(stored_7, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = max_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  x_1 = max_f32(x_1, stored_5);
  if (lane < 1) {
    stored[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    stored_3 = max_f32(stored[i_1], stored[i_1 + 4]);
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = max_f32(stored_3, stored_of_lane_6);
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = max_f32(stored_of_lane_7, stored_of_lane_8);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, stored_1);
  if (threadIdx.x < 1) {
    output_1[0] = x_5[0];
    output_2[0] = x_2;
  }
}
