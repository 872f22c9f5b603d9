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
  const int i_x = blockIdx.x;
  const int i_part = threadIdx.x;
  float x;
  x = 0.0f;
  x = x + (i_part < 17 ? rows[i_x * 17 + i_part] : 0.0f);
  parts[i_part] = x;
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
  for (int i_x_1 = 0; i_x_1 < 8; i_x_1++) {
    x_1 = x_1 + parts[lane * 8 + i_x_1];
  }
  ys_5 = x_1;
  ys_4 = 0.0f + ys_5;
  const float ys_4_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const float p_1 = 0 < lane ? ys_4_of_lane : 0.0f;
  ys_3 = p_1 + ys_4;
  const float ys_3_of_lane = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const float p_1_1 = 1 < lane ? ys_3_of_lane : 0.0f;
  ys_2 = p_1_1 + ys_3;
  const float ys_2_of_lane = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const float p_1_2 = 3 < lane ? ys_2_of_lane : 0.0f;
  ys_1 = p_1_2 + ys_2;
  const float ys_1_of_lane = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const float p_1_3 = 7 < lane ? ys_1_of_lane : 0.0f;
  ys = p_1_3 + ys_1;
  const float ys_of_lane = __shfl_sync(0xffffffff, ys, lane - 16);
  const float p_1_4 = 15 < lane ? ys_of_lane : 0.0f;
  stored_1 = p_1_4 + ys;
  float x_2;
  const float stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, lane - 1);
  x_2 = 0 < lane ? stored_1_of_lane : 0.0f;
  for (int i_x_3 = 0; i_x_3 < 8; i_x_3++) {
    x_2 = x_2 + parts[lane * 8 + i_x_3];
    if (warp < 1) {
      const int once = warp;
      stored[lane * 8 + i_x_3] = x_2;
    }
  }
  const int i_q_1 = threadIdx.x;
  float x_3;
  __syncthreads();
  x_3 = 0 < i_q_1 ? stored[i_q_1 - 1] : 0.0f;
  x_3 = x_3 + (i_q_1 < 17 ? rows[i_x * 17 + i_q_1] : 0.0f);
  if (i_q_1 < 17) {
    output[i_x * 17 + i_q_1] = x_3;
  }
}
