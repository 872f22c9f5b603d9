// gemv(alpha: f32, beta: f32, a: M.N.f32, x: N.f32, y: M.f32) -> M.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) gemv(
    const float* __restrict__ a,
    const float* __restrict__ x,
    const float* __restrict__ y,
    float* __restrict__ output,
    const float alpha,
    const float beta,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored_3[8];
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  const int i_p = blockIdx.x;
  float stored;
  float stored_1;
  float stored_2;
  const int i_x = threadIdx.x / 32;
  float stored_4;
  float stored_5;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_9;
  float x_1;
  x_1 = 0.0f;
  for (int i_x_1 = 0; i_x_1 < (N + 255) / 256; i_x_1++) {
    x_1 = x_1 + (i_x_1 * 256 + i_x * 32 + lane < N ? a[i_p * N + i_x_1 * 256 + i_x * 32 + lane] * x[i_x_1 * 256 + i_x * 32 + lane] : 0.0f);
  }
  stored_9 = x_1;
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
  float x_2;
  x_2 = 0.0f;
  x_2 = x_2 + stored_4;
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x] = x_2;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_5 = lane;
    stored_2 = stored_3[i_p_5] + stored_3[i_p_5 + 4];
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 + stored_2_of_lane;
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane + stored_1_of_lane_1;
  float x_3;
  x_3 = 0.0f;
  x_3 = x_3 + stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[i_p] = alpha_1 * x_3 + beta_1 * y[i_p];
  }
}
