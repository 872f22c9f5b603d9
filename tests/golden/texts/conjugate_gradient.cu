// conjugate_gradient(a: N.N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conjugate_gradient(
    const float* __restrict__ a,
    const float* __restrict__ state_3,
    float* __restrict__ images,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_row_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_column_warp = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int n_column_step = 0; n_column_step < (N + 255) / 256; n_column_step++) {
    x = x + (n_column_step * 256 + n_column_warp * 32 + lane < N ? a[n_row_block * N + n_column_step * 256 + n_column_warp * 32 + lane] * state_3[n_column_step * 256 + n_column_warp * 32 + lane] : 0.0f);
  }
  stored_9 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    stored[n_column_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_column_lane = lane;
    stored_3 = stored[n_column_lane] + stored[n_column_lane + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 + stored_of_lane_8;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_1;
  if (threadIdx.x < 1) {
    images[n_row_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_1(
    const float* __restrict__ state_2,
    float* __restrict__ square_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_warp = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    x = x + (n_block * 2048 + n_strip * 256 + n_warp * 32 + lane < N ? state_2[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] * state_2[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] : 0.0f);
  }
  stored_9 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = stored[n_lane] + stored[n_lane + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 + stored_of_lane_8;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_1;
  if (threadIdx.x < 1) {
    square_4[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_2(
    const float* __restrict__ square_4,
    float* __restrict__ x_8,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float square[8];
  float square_1;
  float square_2;
  float square_3;
  const int i = threadIdx.x / 32;
  float stored;
  float stored_1;
  float stored_2;
  float stored_3;
  float stored_4;
  float stored_5;
  float x;
  x = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = x + (j * 256 + i * 32 + lane < (N + 2047) / 2048 ? square_4[j * 256 + i * 32 + lane] : 0.0f);
  }
  stored_5 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_5, lane + 16);
  if (lane < 16) {
    stored_4 = stored_5 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_4, lane + 8);
  if (lane < 8) {
    stored_3 = stored_4 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_3, lane + 4);
  if (lane < 4) {
    stored_2 = stored_3 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored;
  if (lane < 1) {
    square[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    square_3 = square[i_1] + square[i_1 + 4];
  }
  const float square_of_lane = __shfl_sync(0xffffffff, square_3, lane + 2);
  if (lane < 2) {
    square_2 = square_3 + square_of_lane;
  }
  const float square_of_lane_1 = __shfl_sync(0xffffffff, square_2, 0);
  const float square_of_lane_2 = __shfl_sync(0xffffffff, square_2, 1);
  square_1 = square_of_lane_1 + square_of_lane_2;
  if (threadIdx.x < 1) {
    x_8[0] = 0.0f;
    x_8[0] = x_8[0] + square_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_3(
    const float* __restrict__ state_3,
    const float* __restrict__ images,
    float* __restrict__ length_4,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_warp = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    x = x + (n_block * 2048 + n_strip * 256 + n_warp * 32 + lane < N ? state_3[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] * images[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] : 0.0f);
  }
  stored_9 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = stored[n_lane] + stored[n_lane + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 + stored_of_lane_8;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_1;
  if (threadIdx.x < 1) {
    length_4[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_4(
    const float* __restrict__ length_4,
    float* __restrict__ x_14,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float length[8];
  float length_1;
  float length_2;
  float length_3;
  const int i = threadIdx.x / 32;
  float stored;
  float stored_1;
  float stored_2;
  float stored_3;
  float stored_4;
  float stored_5;
  float x;
  x = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = x + (j * 256 + i * 32 + lane < (N + 2047) / 2048 ? length_4[j * 256 + i * 32 + lane] : 0.0f);
  }
  stored_5 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_5, lane + 16);
  if (lane < 16) {
    stored_4 = stored_5 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_4, lane + 8);
  if (lane < 8) {
    stored_3 = stored_4 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_3, lane + 4);
  if (lane < 4) {
    stored_2 = stored_3 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored;
  if (lane < 1) {
    length[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    length_3 = length[i_1] + length[i_1 + 4];
  }
  const float length_of_lane = __shfl_sync(0xffffffff, length_3, lane + 2);
  if (lane < 2) {
    length_2 = length_3 + length_of_lane;
  }
  const float length_of_lane_1 = __shfl_sync(0xffffffff, length_2, 0);
  const float length_of_lane_2 = __shfl_sync(0xffffffff, length_2, 1);
  length_1 = length_of_lane_1 + length_of_lane_2;
  if (threadIdx.x < 1) {
    x_14[0] = 0.0f;
    x_14[0] = x_14[0] + length_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_5(
    const float* __restrict__ state_2,
    const float* __restrict__ images,
    const float* __restrict__ x_8,
    const float* __restrict__ x_14,
    float* __restrict__ stored_46,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const float square = x_8[0];
  const float length = square / x_14[0];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int n_warp = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int n_strip = 0; n_strip < 8; n_strip++) {
    float chosen;
    if (n_block * 2048 + n_strip * 256 + n_warp * 32 + lane < N) {
      const float p = state_2[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] - length * images[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane];
      const float p_1 = state_2[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane] - length * images[n_block * 2048 + n_strip * 256 + n_warp * 32 + lane];
      chosen = p * p_1;
    }
    if (N < n_block * 2048 + n_strip * 256 + n_warp * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x = x + chosen;
  }
  stored_9 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    stored[n_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_3 = stored[n_lane] + stored[n_lane + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 + stored_of_lane_8;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_1;
  if (threadIdx.x < 1) {
    stored_46[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_6(
    const float* __restrict__ stored_46,
    float* __restrict__ x_20,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  float stored_1;
  float stored_2;
  float stored_3;
  const int i = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = x + (j * 256 + i * 32 + lane < (N + 2047) / 2048 ? stored_46[j * 256 + i * 32 + lane] : 0.0f);
  }
  stored_9 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    stored[i] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_1 = lane;
    stored_3 = stored[i_1] + stored[i_1 + 4];
  }
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 + stored_of_lane_8;
  if (threadIdx.x < 1) {
    x_20[0] = 0.0f;
    x_20[0] = x_20[0] + stored_1;
  }
}

extern "C" __global__ void __launch_bounds__(256) conjugate_gradient_7(
    const float* __restrict__ state_1,
    const float* __restrict__ state_2,
    const float* __restrict__ state_3,
    const float* __restrict__ images,
    const float* __restrict__ x_8,
    const float* __restrict__ x_14,
    const float* __restrict__ x_20,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const int N
) {
  const float square = x_8[0];
  const float length = square / x_14[0];
  const float kept = x_20[0] / square;
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float p = state_2[n] - length * images[n];
    output_1[n] = state_1[n] + length * state_3[n];
    output_2[n] = p;
    output_3[n] = p + kept * state_3[n];
  }
}
