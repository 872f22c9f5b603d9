// window_sums_gathered(places: (K + N).idx[N], xs: N.f32) -> (N + 1).f32 for all N, K
// for sm_80
extern "C" __global__ void __launch_bounds__(256) window_sums_gathered(
    const long long* __restrict__ places,
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int K
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_3[8];
  const int i_x = blockIdx.x;
  float stored;
  float stored_1;
  float stored_2;
  const int i_x_1 = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x;
  x = 0.0f;
  for (int i_x_2 = 0; i_x_2 < (K + 255) / 256; i_x_2++) {
    float chosen;
    if (i_x_2 * 256 + i_x_1 * 32 + lane < K) {
      const int at = (int)places[i_x_2 * 256 + i_x_1 * 32 + i_x + lane];
      chosen = xs[at];
    }
    if (K < i_x_2 * 256 + i_x_1 * 32 + lane + 1) {
      chosen = 0.0f;
    }
    x = x + chosen;
  }
  stored_9 = x;
  const float stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 + stored_9_of_lane;
  }
  const float stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 + stored_8_of_lane;
  }
  const float stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 + stored_7_of_lane;
  }
  const float stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 + stored_6_of_lane;
  }
  const float stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, 0);
  const float stored_5_of_lane_1 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_5_of_lane + stored_5_of_lane_1;
  float x_1;
  x_1 = 0.0f;
  x_1 = x_1 + stored_4;
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x_1] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = stored_3[i_p_4] + stored_3[i_p_4 + 4];
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_2_of_lane;
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane + stored_1_of_lane_1;
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[i_x] = x_2;
  }
}
