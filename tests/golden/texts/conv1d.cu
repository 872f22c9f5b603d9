// conv1d(weights: K.f32, xs: (K + N).f32) -> (N + 1).f32 for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conv1d(
    const float* __restrict__ weights,
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int K
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[8];
  const int n_block = blockIdx.x;
  float stored_1;
  float stored_2;
  float stored_3;
  const int k_warp = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int k_step = 0; k_step < (K + 255) / 256; k_step++) {
    x = x + (k_step * 256 + k_warp * 32 + lane < K ? weights[k_step * 256 + k_warp * 32 + lane] * xs[k_step * 256 + k_warp * 32 + n_block + lane] : 0.0f);
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
    stored[k_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int k_lane = lane;
    stored_3 = stored[k_lane] + stored[k_lane + 4];
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
    output[n_block] = x_2;
  }
}
