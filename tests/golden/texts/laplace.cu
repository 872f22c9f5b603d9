// laplace(grid: 11.7.f32) -> 11.7.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) laplace(
    const float* __restrict__ grid,
    float* __restrict__ output
) {
  if (blockIdx.y * 8 + threadIdx.y < 11) {
    const int i_p = blockIdx.y * 8 + threadIdx.y;
    if (blockIdx.x * 32 + threadIdx.x < 7) {
      const int i_p_1 = blockIdx.x * 32 + threadIdx.x;
      const float p_1 = 0 < i_p ? grid[i_p * 7 + i_p_1 - 7] : 0.0f;
      const float p_2 = i_p < 10 ? grid[i_p * 7 + i_p_1 + 7] : 0.0f;
      const float p_1_1 = p_1 + p_2;
      const float p_1_2 = 0 < i_p_1 ? grid[i_p * 7 + i_p_1 - 1] : 0.0f;
      const float p_2_1 = i_p_1 < 6 ? grid[i_p * 7 + i_p_1 + 1] : 0.0f;
      const float p_2_2 = p_1_2 + p_2_1;
      const float p_1_3 = p_1_1 + p_2_2;
      output[i_p * 7 + i_p_1] = p_1_3 - 4.0f * grid[i_p * 7 + i_p_1];
    }
  }
}
