// running_max(xs: N.f32) -> N.f32 for all N
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

__device__ __forceinline__ int ceil_div_i32(int a, int b) { return a / b + (a % b > 0); }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) running_max(
    const float* __restrict__ xs,
    float* __restrict__ parts_by_block,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float parts_by_warp8[8];
  const int n_block = blockIdx.x;
  float parts_by_warp1;
  float parts_by_warp2;
  float parts_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float parts_by_lane1;
  float parts_by_lane2;
  float parts_by_lane4;
  float parts_by_lane8;
  float parts_by_lane16;
  float parts_by_lane32;
  parts_by_lane32 = -__int_as_float(0x7f800000);
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_warp * 32 + lane + n_strip * 256;
    parts_by_lane32 = max_f32(parts_by_lane32, at_n < N ? xs[at_n] : -__int_as_float(0x7f800000));
  }
  const float other_parts_by_lane32 = __shfl_sync(0xffffffff, parts_by_lane32, lane + 16);
  if (lane < 16) {
    parts_by_lane16 = max_f32(parts_by_lane32, other_parts_by_lane32);
  }
  const float other_parts_by_lane16 = __shfl_sync(0xffffffff, parts_by_lane16, lane + 8);
  if (lane < 8) {
    parts_by_lane8 = max_f32(parts_by_lane16, other_parts_by_lane16);
  }
  const float other_parts_by_lane8 = __shfl_sync(0xffffffff, parts_by_lane8, lane + 4);
  if (lane < 4) {
    parts_by_lane4 = max_f32(parts_by_lane8, other_parts_by_lane8);
  }
  const float other_parts_by_lane4 = __shfl_sync(0xffffffff, parts_by_lane4, lane + 2);
  if (lane < 2) {
    parts_by_lane2 = max_f32(parts_by_lane4, other_parts_by_lane4);
  }
  const float other0_parts_by_lane2 = __shfl_sync(0xffffffff, parts_by_lane2, 0);
  const float other1_parts_by_lane2 = __shfl_sync(0xffffffff, parts_by_lane2, 1);
  parts_by_lane1 = max_f32(other0_parts_by_lane2, other1_parts_by_lane2);
  if (lane < 1) {
    parts_by_warp8[n_warp] = parts_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    parts_by_warp4 = max_f32(parts_by_warp8[lane], parts_by_warp8[lane + 4]);
  }
  const float other_parts_by_warp4 = __shfl_sync(0xffffffff, parts_by_warp4, lane + 2);
  if (lane < 2) {
    parts_by_warp2 = max_f32(parts_by_warp4, other_parts_by_warp4);
  }
  const float other0_parts_by_warp2 = __shfl_sync(0xffffffff, parts_by_warp2, 0);
  const float other1_parts_by_warp2 = __shfl_sync(0xffffffff, parts_by_warp2, 1);
  parts_by_warp1 = max_f32(other0_parts_by_warp2, other1_parts_by_warp2);
  if (threadIdx.x < 1) {
    parts_by_block[n_block] = parts_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) running_max_1(
    float* __restrict__ maxima_by_thread,
    const float* __restrict__ parts_by_block,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float maxima_by_lane[256];
  __shared__ __align__(16) float parts_by_thread[256];
  const int thread = threadIdx.x;
  float parts_of_thread;
  parts_of_thread = -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    const int at_j = thread * ((N + 2047) / 524288) + thread + j;
    parts_of_thread = max_f32(parts_of_thread, at_j < (N + 2047) / 2048 ? parts_by_block[at_j] : -__int_as_float(0x7f800000));
  }
  parts_by_thread[thread] = parts_of_thread;
  float maximum_by_lane;
  float ys_over16;
  float ys_over8;
  float ys_over4;
  float ys_over2;
  float ys_over1;
  float ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = -__int_as_float(0x7f800000);
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    ys_over1_from_parts_by_thread = max_f32(ys_over1_from_parts_by_thread, parts_by_thread[lane * 8 + j]);
  }
  ys_over1 = max_f32(-__int_as_float(0x7f800000), ys_over1_from_parts_by_thread);
  const float other_ys_over1 = __shfl_sync(0xffffffff, ys_over1, lane - 1);
  const float padded_other_ys_over1 = 0 < lane ? other_ys_over1 : -__int_as_float(0x7f800000);
  ys_over2 = max_f32(padded_other_ys_over1, ys_over1);
  const float other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const float padded_other_ys_over2 = 1 < lane ? other_ys_over2 : -__int_as_float(0x7f800000);
  ys_over4 = max_f32(padded_other_ys_over2, ys_over2);
  const float other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const float padded_other_ys_over4 = 3 < lane ? other_ys_over4 : -__int_as_float(0x7f800000);
  ys_over8 = max_f32(padded_other_ys_over4, ys_over4);
  const float other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const float padded_other_ys_over8 = 7 < lane ? other_ys_over8 : -__int_as_float(0x7f800000);
  ys_over16 = max_f32(padded_other_ys_over8, ys_over8);
  const float other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const float padded_other_ys_over16 = 15 < lane ? other_ys_over16 : -__int_as_float(0x7f800000);
  maximum_by_lane = max_f32(padded_other_ys_over16, ys_over16);
  float maximum_of_lane;
  const float other_maximum_by_lane = __shfl_sync(0xffffffff, maximum_by_lane, lane - 1);
  maximum_of_lane = 0 < lane ? other_maximum_by_lane : -__int_as_float(0x7f800000);
  for (int j = 0; j < 8; j++) {
    maximum_of_lane = max_f32(maximum_of_lane, parts_by_thread[lane * 8 + j]);
    if (warp < 1) {
      maxima_by_lane[lane * 8 + j] = maximum_of_lane;
    }
  }
  float maximum_of_thread;
  __syncthreads();
  maximum_of_thread = 0 < thread ? maxima_by_lane[thread - 1] : -__int_as_float(0x7f800000);
  for (int j = 0; j < (N + 2047) / 524288 + 1; j++) {
    const int at_j = thread * ((N + 2047) / 524288) + thread + j;
    maximum_of_thread = max_f32(maximum_of_thread, at_j < (N + 2047) / 2048 ? parts_by_block[at_j] : -__int_as_float(0x7f800000));
    if (at_j < (N + 2047) / 2048) {
      maxima_by_thread[at_j] = maximum_of_thread;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) running_max_2(
    const float* __restrict__ xs,
    const float* __restrict__ maxima_by_thread,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float maxima_by_thread_1[2048];
  float* const parts_by_thread = maxima_by_thread_1;
  __shared__ __align__(16) float xs_tile[2048];
  __shared__ __align__(16) float maxima_by_lane[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    const int at_n = n_block * 2048 + n_thread + n_strip * 256;
    xs_tile[n_thread + n_strip * 256] = at_n < N ? xs[at_n] : -__int_as_float(0x7f800000);
  }
  const float pad = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const int thread = threadIdx.x;
  float parts_of_thread;
  parts_of_thread = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  __syncthreads();
  for (int n = 0; n < 8; n++) {
    parts_of_thread = max_f32(parts_of_thread, xs_tile[thread * 8 + n]);
  }
  parts_by_thread[thread] = parts_of_thread;
  const float pad_1 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  float maximum_by_lane;
  float ys_over16;
  float ys_over8;
  float ys_over4;
  float ys_over2;
  float ys_over1_from_stored;
  float ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  __syncthreads();
  for (int j = 0; j < 8; j++) {
    ys_over1_from_parts_by_thread = max_f32(ys_over1_from_parts_by_thread, parts_by_thread[lane * 8 + j]);
  }
  ys_over1_from_stored = max_f32(0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000), ys_over1_from_parts_by_thread);
  const float pad_2 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const float other_ys_over1_from_stored = __shfl_sync(0xffffffff, ys_over1_from_stored, lane - 1);
  const float padded_other_ys_over1_from_stored = 0 < lane ? other_ys_over1_from_stored : pad_2;
  ys_over2 = max_f32(padded_other_ys_over1_from_stored, ys_over1_from_stored);
  const float pad_3 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const float other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const float padded_other_ys_over2 = 1 < lane ? other_ys_over2 : pad_3;
  ys_over4 = max_f32(padded_other_ys_over2, ys_over2);
  const float pad_4 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const float other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const float padded_other_ys_over4 = 3 < lane ? other_ys_over4 : pad_4;
  ys_over8 = max_f32(padded_other_ys_over4, ys_over4);
  const float pad_5 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const float other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const float padded_other_ys_over8 = 7 < lane ? other_ys_over8 : pad_5;
  ys_over16 = max_f32(padded_other_ys_over8, ys_over8);
  const float pad_6 = 0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000);
  const float other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const float padded_other_ys_over16 = 15 < lane ? other_ys_over16 : pad_6;
  maximum_by_lane = max_f32(padded_other_ys_over16, ys_over16);
  float maximum_of_lane;
  const float other_maximum_by_lane = __shfl_sync(0xffffffff, maximum_by_lane, lane - 1);
  maximum_of_lane = 0 < lane ? other_maximum_by_lane : pad_1;
  for (int j = 0; j < 8; j++) {
    maximum_of_lane = max_f32(maximum_of_lane, parts_by_thread[lane * 8 + j]);
    if (warp < 1) {
      maxima_by_lane[lane * 8 + j] = maximum_of_lane;
    }
  }
  float maximum_of_thread;
  __syncthreads();
  maximum_of_thread = 0 < thread ? maxima_by_lane[thread - 1] : pad;
  for (int n = 0; n < 8; n++) {
    maximum_of_thread = max_f32(maximum_of_thread, xs_tile[thread * 8 + n]);
    maxima_by_thread_1[thread * 8 + n] = maximum_of_thread;
  }
  __syncthreads();
  for (int n_strip = 0; n_strip < min_i32(max_i32(0, ceil_div_i32(N - n_thread, 256) - n_block * 8), 8); n_strip++) {
    output[n_block * 2048 + n_thread + n_strip * 256] = max_f32(0 < n_block ? maxima_by_thread[n_block - 1] : -__int_as_float(0x7f800000), maxima_by_thread_1[n_thread + n_strip * 256]);
  }
}
