// running_totals(rows: 9.17.f32) -> 9.17.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) running_totals(
    const float* __restrict__ rows,
    float* __restrict__ output
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float stored[256];
  __shared__ __align__(16) float parts[256];
  const int row_block = blockIdx.x;
  const int column_thread = threadIdx.x;
  float x;
  x = 0.0f;
  x = x + (column_thread < 17 ? rows[row_block * 17 + column_thread] : 0.0f);
  parts[column_thread] = x;
  float stored_1;
  float ys;
  float ys_1;
  float ys_2;
  float ys_3;
  float ys_4;
  float ys_5;
  float x_1;
  x_1 = 0.0f;
  __syncthreads();
  for (int column = 0; column < 8; column++) {
    x_1 = x_1 + parts[lane * 8 + column];
  }
  ys_5 = x_1;
  ys_4 = 0.0f + ys_5;
  const float ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const float p = 0 < lane ? ys_of_lane : 0.0f;
  ys_3 = p + ys_4;
  const float ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const float p_1 = 1 < lane ? ys_of_lane_1 : 0.0f;
  ys_2 = p_1 + ys_3;
  const float ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const float p_2 = 3 < lane ? ys_of_lane_2 : 0.0f;
  ys_1 = p_2 + ys_2;
  const float ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const float p_3 = 7 < lane ? ys_of_lane_3 : 0.0f;
  ys = p_3 + ys_1;
  const float ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const float p_4 = 15 < lane ? ys_of_lane_4 : 0.0f;
  stored_1 = p_4 + ys;
  float x_2;
  const float stored_of_lane = __shfl_sync(0xffffffff, stored_1, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : 0.0f;
  for (int column = 0; column < 8; column++) {
    x_2 = x_2 + parts[lane * 8 + column];
    if (warp < 1) {
      stored[lane * 8 + column] = x_2;
    }
  }
  float x_3;
  __syncthreads();
  x_3 = 0 < column_thread ? stored[column_thread - 1] : 0.0f;
  x_3 = x_3 + (column_thread < 17 ? rows[row_block * 17 + column_thread] : 0.0f);
  if (column_thread < 17) {
    output[row_block * 17 + column_thread] = x_3;
  }
}
