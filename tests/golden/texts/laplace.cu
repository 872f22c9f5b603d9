// laplace(grid: 11.7.f32) -> 11.7.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) laplace(
    const float* __restrict__ grid,
    float* __restrict__ output
) {
  if (blockIdx.y * 8 + threadIdx.y < 11) {
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (blockIdx.x * 32 + threadIdx.x < 7) {
      const int column = blockIdx.x * 32 + threadIdx.x;
      const float p = 0 < row ? grid[row * 7 + column - 7] : 0.0f;
      const float p_1 = row < 10 ? grid[row * 7 + column + 7] : 0.0f;
      const float p_2 = p + p_1;
      const float p_3 = 0 < column ? grid[row * 7 + column - 1] : 0.0f;
      const float p_4 = column < 6 ? grid[row * 7 + column + 1] : 0.0f;
      const float p_5 = p_3 + p_4;
      const float p_6 = p_2 + p_5;
      output[row * 7 + column] = p_6 - 4.0f * grid[row * 7 + column];
    }
  }
}
