// logsumexp(rows: M.N.f32) -> M.f32 for all M, N
// for sm_80

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) logsumexp(
    const float* __restrict__ rows,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float top_3[8];
  __shared__ __align__(16) float stored_9[8];
  const int i_row = blockIdx.x;
  float top;
  float top_1;
  float top_2;
  float stored;
  float stored_1;
  float stored_2;
  float stored_3;
  float stored_4;
  float stored_5;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int i_x_1 = 0; i_x_1 < (N + 255) / 256; i_x_1++) {
    x = max_f32(x, i_x_1 * 256 + warp * 32 + lane < N ? rows[i_row * N + i_x_1 * 256 + warp * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_5 = x;
  const float stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, lane + 16);
  if (lane < 16) {
    stored_4 = max_f32(stored_5, stored_5_of_lane);
  }
  const float stored_4_of_lane = __shfl_sync(0xffffffff, stored_4, lane + 8);
  if (lane < 8) {
    stored_3 = max_f32(stored_4, stored_4_of_lane);
  }
  const float stored_3_of_lane = __shfl_sync(0xffffffff, stored_3, lane + 4);
  if (lane < 4) {
    stored_2 = max_f32(stored_3, stored_3_of_lane);
  }
  const float stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = max_f32(stored_2, stored_2_of_lane);
  }
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const float stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = max_f32(stored_1_of_lane, stored_1_of_lane_1);
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  x_1 = max_f32(x_1, stored);
  if (lane < 1) {
    const int once = lane;
    top_3[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    top_2 = max_f32(top_3[i_p_4], top_3[i_p_4 + 4]);
  }
  const float top_2_of_lane = __shfl_sync(0xffffffff, top_2, lane + 2);
  if (lane < 2) {
    top_1 = max_f32(top_2, top_2_of_lane);
  }
  const float top_1_of_lane = __shfl_sync(0xffffffff, top_1, 0);
  const float top_1_of_lane_1 = __shfl_sync(0xffffffff, top_1, 1);
  top = max_f32(top_1_of_lane, top_1_of_lane_1);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, top);
  const float top_4 = x_2;
  float stored_6;
  float stored_7;
  float stored_8;
  float stored_10;
  float stored_11;
  float stored_12;
  float stored_13;
  float stored_14;
  float stored_15;
  float x_3;
  x_3 = 0.0f;
  for (int i_x_3 = 0; i_x_3 < (N + 255) / 256; i_x_3++) {
    const float x_4 = x_3 + (i_x_3 * 256 + warp * 32 + lane < N ? expf(rows[i_row * N + i_x_3 * 256 + warp * 32 + lane] - top_4) : 0.0f);
    x_3 = x_4;
  }
  stored_15 = x_3;
  const float stored_15_of_lane = __shfl_sync(0xffffffff, stored_15, lane + 16);
  if (lane < 16) {
    stored_14 = stored_15 + stored_15_of_lane;
  }
  const float stored_14_of_lane = __shfl_sync(0xffffffff, stored_14, lane + 8);
  if (lane < 8) {
    stored_13 = stored_14 + stored_14_of_lane;
  }
  const float stored_13_of_lane = __shfl_sync(0xffffffff, stored_13, lane + 4);
  if (lane < 4) {
    stored_12 = stored_13 + stored_13_of_lane;
  }
  const float stored_12_of_lane = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = stored_12 + stored_12_of_lane;
  }
  const float stored_11_of_lane = __shfl_sync(0xffffffff, stored_11, 0);
  const float stored_11_of_lane_1 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = stored_11_of_lane + stored_11_of_lane_1;
  float x_5;
  x_5 = 0.0f;
  x_5 = x_5 + stored_10;
  if (lane < 1) {
    const int once_1 = lane;
    stored_9[warp] = x_5;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_10 = lane;
    stored_8 = stored_9[i_p_10] + stored_9[i_p_10 + 4];
  }
  const float stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 2);
  if (lane < 2) {
    stored_7 = stored_8 + stored_8_of_lane;
  }
  const float stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, 0);
  const float stored_7_of_lane_1 = __shfl_sync(0xffffffff, stored_7, 1);
  stored_6 = stored_7_of_lane + stored_7_of_lane_1;
  float x_6;
  x_6 = 0.0f;
  x_6 = x_6 + stored_6;
  if (threadIdx.x < 1) {
    const int once_2 = threadIdx.x;
    output[i_row] = top_4 + logf(x_6);
  }
}
