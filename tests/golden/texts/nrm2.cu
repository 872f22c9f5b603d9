// nrm2(xs: N.f32) -> f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) nrm2(
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
  x = 0.0f;
  for (int n_step = 0; n_step < 8; n_step++) {
    float chosen;
    if (n_block * 2048 + n_step * 256 + n_warp * 32 + lane < N) {
      const float x_1 = xs[n_block * 2048 + n_step * 256 + n_warp * 32 + lane];
      chosen = x_1 * x_1;
    }
    if (N < n_block * 2048 + n_step * 256 + n_warp * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x = x + chosen;
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = stored_10 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = stored_9 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = stored_8 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = stored_7 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_5;
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
    stored_4[n_block] = x_2;
  }
}

extern "C" __global__ void __launch_bounds__(256) nrm2_1(
    const float* __restrict__ stored_4,
    float* __restrict__ output,
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
  x = 0.0f;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    x = x + (j * 256 + i * 32 + lane < (N + 2047) / 2048 ? stored_4[j * 256 + i * 32 + lane] : 0.0f);
  }
  stored_10 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_10, lane + 16);
  if (lane < 16) {
    stored_9 = stored_10 + stored_of_lane;
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_9, lane + 8);
  if (lane < 8) {
    stored_8 = stored_9 + stored_of_lane_1;
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_8, lane + 4);
  if (lane < 4) {
    stored_7 = stored_8 + stored_of_lane_2;
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_7, lane + 2);
  if (lane < 2) {
    stored_6 = stored_7 + stored_of_lane_3;
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_6, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_6, 1);
  stored_5 = stored_of_lane_4 + stored_of_lane_5;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_5;
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
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_1;
  if (threadIdx.x < 1) {
    output[0] = sqrtf(x_2);
  }
}
