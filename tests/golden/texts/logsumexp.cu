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
  __shared__ __align__(16) float top[8];
  __shared__ __align__(16) float stored[8];
  const int m_block = blockIdx.x;
  float top_1;
  float top_2;
  float top_3;
  float stored_1;
  float stored_2;
  float stored_3;
  float stored_4;
  float stored_5;
  float stored_6;
  float x;
  x = -__int_as_float(0x7f800000);
  for (int n_step = 0; n_step < (N + 255) / 256; n_step++) {
    x = max_f32(x, n_step * 256 + warp * 32 + lane < N ? rows[m_block * N + n_step * 256 + warp * 32 + lane] : -__int_as_float(0x7f800000));
  }
  stored_6 = x;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 16);
  if (lane < 16) {
    stored_5 = max_f32(stored_6, stored_of_lane);
  }
  const float stored_of_lane_1 = __shfl_sync(0xffffffff, stored_5, lane + 8);
  if (lane < 8) {
    stored_4 = max_f32(stored_5, stored_of_lane_1);
  }
  const float stored_of_lane_2 = __shfl_sync(0xffffffff, stored_4, lane + 4);
  if (lane < 4) {
    stored_3 = max_f32(stored_4, stored_of_lane_2);
  }
  const float stored_of_lane_3 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = max_f32(stored_3, stored_of_lane_3);
  }
  const float stored_of_lane_4 = __shfl_sync(0xffffffff, stored_2, 0);
  const float stored_of_lane_5 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = max_f32(stored_of_lane_4, stored_of_lane_5);
  float x_1;
  x_1 = -__int_as_float(0x7f800000);
  x_1 = max_f32(x_1, stored_1);
  if (lane < 1) {
    top[warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    top_3 = max_f32(top[n_lane], top[n_lane + 4]);
  }
  const float top_of_lane = __shfl_sync(0xffffffff, top_3, lane + 2);
  if (lane < 2) {
    top_2 = max_f32(top_3, top_of_lane);
  }
  const float top_of_lane_1 = __shfl_sync(0xffffffff, top_2, 0);
  const float top_of_lane_2 = __shfl_sync(0xffffffff, top_2, 1);
  top_1 = max_f32(top_of_lane_1, top_of_lane_2);
  float x_2;
  x_2 = -__int_as_float(0x7f800000);
  x_2 = max_f32(x_2, top_1);
  const float top_4 = x_2;
  float stored_7;
  float stored_8;
  float stored_9;
  float stored_10;
  float stored_11;
  float stored_12;
  float stored_13;
  float stored_14;
  float stored_15;
  float x_3;
  x_3 = 0.0f;
  for (int n_step = 0; n_step < (N + 255) / 256; n_step++) {
    const float x_4 = x_3 + (n_step * 256 + warp * 32 + lane < N ? expf(rows[m_block * N + n_step * 256 + warp * 32 + lane] - top_4) : 0.0f);
    x_3 = x_4;
  }
  stored_15 = x_3;
  const float stored_of_lane_6 = __shfl_sync(0xffffffff, stored_15, lane + 16);
  if (lane < 16) {
    stored_14 = stored_15 + stored_of_lane_6;
  }
  const float stored_of_lane_7 = __shfl_sync(0xffffffff, stored_14, lane + 8);
  if (lane < 8) {
    stored_13 = stored_14 + stored_of_lane_7;
  }
  const float stored_of_lane_8 = __shfl_sync(0xffffffff, stored_13, lane + 4);
  if (lane < 4) {
    stored_12 = stored_13 + stored_of_lane_8;
  }
  const float stored_of_lane_9 = __shfl_sync(0xffffffff, stored_12, lane + 2);
  if (lane < 2) {
    stored_11 = stored_12 + stored_of_lane_9;
  }
  const float stored_of_lane_10 = __shfl_sync(0xffffffff, stored_11, 0);
  const float stored_of_lane_11 = __shfl_sync(0xffffffff, stored_11, 1);
  stored_10 = stored_of_lane_10 + stored_of_lane_11;
  float x_4;
  x_4 = 0.0f;
  x_4 = x_4 + stored_10;
  if (lane < 1) {
    stored[warp] = x_4;
  }
  __syncthreads();
  if (lane < 4) {
    const int n_lane = lane;
    stored_9 = stored[n_lane] + stored[n_lane + 4];
  }
  const float stored_of_lane_12 = __shfl_sync(0xffffffff, stored_9, lane + 2);
  if (lane < 2) {
    stored_8 = stored_9 + stored_of_lane_12;
  }
  const float stored_of_lane_13 = __shfl_sync(0xffffffff, stored_8, 0);
  const float stored_of_lane_14 = __shfl_sync(0xffffffff, stored_8, 1);
  stored_7 = stored_of_lane_13 + stored_of_lane_14;
  float x_5;
  x_5 = 0.0f;
  x_5 = x_5 + stored_7;
  if (threadIdx.x < 1) {
    output[m_block] = top_4 + logf(x_5);
  }
}
