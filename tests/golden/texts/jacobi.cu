// jacobi(grid: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) jacobi(
    const float* __restrict__ grid,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float grid_tile[612];
  static __align__(16) const float constants[9] = {0.0f, 0.25f, 0.0f, 0.25f, 0.0f, 0.25f, 0.0f, 0.25f, 0.0f};
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        grid_tile[at_thread_y_i] = grid[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1)];
      }
    }
    const int m_thread = threadIdx.y;
    float acc[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int thread = threadIdx.x;
      float sum;
      sum = 0.0f;
      for (int j = 0; j < 9; j++) {
        sum = sum + constants[j] * grid_tile[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j];
      }
      acc[m] = sum;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = acc[m];
        }
      }
    }
  }
}
