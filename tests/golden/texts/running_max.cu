// running_max(xs: N.f32) -> N.f32 for all N
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

__device__ __forceinline__ int ceil_div_i32(int a, int b) { return a / b + (a % b > 0); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) running_max(
    const float* __restrict__ xs,
    float* __restrict__ parts,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_1[8];
  const int n_block = blockIdx.x;
  float stored_2;
  float stored_3;
  float stored_4;
  const int n_warp = threadIdx.x / 32;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    x = max_f32(x, n_block * 2048 + n_strip * 256 + n_warp * 32 + lane < N ? xs[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] : -__int_as_float(0x7f800000));
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
    stored_1[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_4 = max_f32(stored_1[n_lane], stored_1[n_lane + 4]);
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_4, lane + 2);
  if (lane < 2) {
    stored_3 = max_f32(stored_4, stored_of_lane_6);
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_3, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_3, 1);
  stored_2 = max_f32(stored_of_lane_7, stored_of_lane_8);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, stored_2);
  if (threadIdx.x < 1) {
    parts[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) running_max_1(
    float* __restrict__ stored,
    const float* __restrict__ parts,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_1[256];
  __shared__ __align__(16) float parts_1[256];
  const int i = threadIdx.x;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    x = max_f32(x, i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048 ? parts[i * ((N + 2047) / 524288) + i + j] : -__int_as_float(0x7f800000));
  }
  parts_1[i] = x;
  float stored_2;
  float ys;
  float ys_1;
  float ys_2;
  float ys_3;
  float ys_4;
  float ys_5;
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    x_1 = max_f32(x_1, parts_1[lane * 8 + j]);
  }
  ys_5 = x_1;
  ys_4 = max_f32(-__int_as_float(0x7f800000), ys_5);
  const float ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const float p = 0 < lane ? ys_of_lane : -__int_as_float(0x7f800000);
  ys_3 = max_f32(p, ys_4);
  const float ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const float p_1 = 1 < lane ? ys_of_lane_1 : -__int_as_float(0x7f800000);
  ys_2 = max_f32(p_1, ys_3);
  const float ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const float p_2 = 3 < lane ? ys_of_lane_2 : -__int_as_float(0x7f800000);
  ys_1 = max_f32(p_2, ys_2);
  const float ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const float p_3 = 7 < lane ? ys_of_lane_3 : -__int_as_float(0x7f800000);
  ys = max_f32(p_3, ys_1);
  const float ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const float p_4 = 15 < lane ? ys_of_lane_4 : -__int_as_float(0x7f800000);
  stored_2 = max_f32(p_4, ys);
  float x_2;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_2, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : -__int_as_float(0x7f800000);
  for (int j = 0; j < 8; j++) {
    x_2 = max_f32(x_2, parts_1[lane * 8 + j]);
    if (warp < 1) {
      stored_1[lane * 8 + j] = x_2;
    }
  }
  float x_3;
  __syncthreads();
  x_3 = 0 < i ? stored_1[i - 1] : -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    x_3 = max_f32(x_3, i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048 ? parts[i * ((N + 2047) / 524288) + i + j] : -__int_as_float(0x7f800000));
    if (i * ((N + 2047) / 524288) + i + j < (N + 2047) / 2048) {
      stored[i * ((N + 2047) / 524288) + i + j] = x_3;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) running_max_2(
    const float* __restrict__ xs,
    const float* __restrict__ stored,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_1[2048];
  __shared__ __align__(16) float xs_tile[2048];
  __shared__ __align__(16) float stored_2[256];
  __shared__ __align__(16) float parts_1[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    xs_tile[n_strip * 256 + n_thread] = n_block * 2048 + n_strip * 256 + n_thread < N ? xs[n_block * 2048 + n_strip * 256 + n_thread] : -__int_as_float(0x7f800000);
  }
  const float pad = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const int i = threadIdx.x;
  float x;
  x = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  __syncthreads();
  for (int n = 0; n < 8; n++) {
    x = max_f32(x, xs_tile[i * 8 + n]);
  }
  parts_1[i] = x;
  const float pad_1 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  float stored_3;
  float ys;
  float ys_1;
  float ys_2;
  float ys_3;
  float ys_4;
  float ys_5;
  float x_1;
  x_1 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    x_1 = max_f32(x_1, parts_1[lane * 8 + j]);
  }
  ys_5 = x_1;
  ys_4 = max_f32(0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000), ys_5);
  const float pad_2 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const float ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const float p = 0 < lane ? ys_of_lane : pad_2;
  ys_3 = max_f32(p, ys_4);
  const float pad_3 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const float ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const float p_1 = 1 < lane ? ys_of_lane_1 : pad_3;
  ys_2 = max_f32(p_1, ys_3);
  const float pad_4 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const float ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const float p_2 = 3 < lane ? ys_of_lane_2 : pad_4;
  ys_1 = max_f32(p_2, ys_2);
  const float pad_5 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const float ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const float p_3 = 7 < lane ? ys_of_lane_3 : pad_5;
  ys = max_f32(p_3, ys_1);
  const float pad_6 = 0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000);
  const float ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const float p_4 = 15 < lane ? ys_of_lane_4 : pad_6;
  stored_3 = max_f32(p_4, ys);
  float x_2;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_3, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : pad_1;
  for (int j = 0; j < 8; j++) {
    x_2 = max_f32(x_2, parts_1[lane * 8 + j]);
    if (warp < 1) {
      stored_2[lane * 8 + j] = x_2;
    }
  }
  float x_3;
  __syncthreads();
  x_3 = 0 < i ? stored_2[i - 1] : pad;
  for (int n = 0; n < 8; n++) {
    x_3 = max_f32(x_3, xs_tile[i * 8 + n]);
    stored_1[i * 8 + n] = x_3;
  }
  __syncthreads();
  for (int n_strip = 0; n_strip < min_i32(max_i32(0, ceil_div_i32(N - n_thread, 256) - n_block * 8), 8); n_strip++) {
    output[n_block * 2048 + n_strip * 256 + n_thread] = max_f32(0 < n_block ? stored[n_block - 1] : -__int_as_float(0x7f800000), stored_1[n_strip * 256 + n_thread]);
  }
}
