// gray_scott(feed: f32, kill: f32, grid: M.N.(f32, f32)) -> M.N.(f32, f32) for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) gray_scott(
    const float* __restrict__ grid_1,
    const float* __restrict__ grid_2,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const float feed,
    const float kill,
    const int M,
    const int N
) {
  __shared__ __align__(16) float grid_1_tile[612];
  __shared__ __align__(16) float grid_2_tile[612];
  __shared__ __align__(16) float grid_1_tile_1[612];
  __shared__ __align__(16) float grid_2_tile_1[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        grid_1_tile[i * 128 + j * 32 + k] = grid_1[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (j * 32 + i * 26 + k) % 34, 1) - 1)];
        grid_2_tile[i * 128 + j * 32 + k] = grid_2[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (j * 32 + i * 26 + k) % 34, 1) - 1)];
      }
    }
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        grid_1_tile_1[i * 128 + j * 32 + k] = grid_1[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (j * 32 + i * 26 + k) % 34, 1) - 1)];
        grid_2_tile_1[i * 128 + j * 32 + k] = grid_2[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (j * 32 + i * 26 + k) % 34, 1) - 1)];
      }
    }
    const int m_thread = threadIdx.y;
    float stored[4];
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int i = threadIdx.x;
      const float u = grid_1_tile[m_thread * 136 + m * 34 + i + 35];
      const float v = grid_2_tile_1[m_thread * 136 + m * 34 + i + 35];
      const float made = u * v * v;
      const float x = grid_1_tile[m_thread * 136 + m * 34 + i + 1] + grid_1_tile[m_thread * 136 + m * 34 + i + 34] + grid_1_tile[m_thread * 136 + m * 34 + i + 36] + grid_1_tile[m_thread * 136 + m * 34 + i + 69] - 4.0f * grid_1_tile[m_thread * 136 + m * 34 + i + 35];
      const float x_1 = u + 0.16f * x - made + feed * (1.0f - u);
      const float x_2 = grid_2_tile_1[m_thread * 136 + m * 34 + i + 1] + grid_2_tile_1[m_thread * 136 + m * 34 + i + 34] + grid_2_tile_1[m_thread * 136 + m * 34 + i + 36] + grid_2_tile_1[m_thread * 136 + m * 34 + i + 69] - 4.0f * grid_2_tile_1[m_thread * 136 + m * 34 + i + 35];
      const float x_3 = v + 0.08f * x_2 + made - (feed + kill) * v;
      stored[m] = x_1;
      stored_1[m] = x_3;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output_1[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = stored[m];
          output_2[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = stored_1[m];
        }
      }
    }
  }
}
