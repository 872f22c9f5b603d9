// grad2d(grid: M.N.f32) -> M.N.(f32, f32) for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) grad2d(
    const float* __restrict__ grid,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int M,
    const int N
) {
  __shared__ __align__(16) float grid_tile[576];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int m_strip = 0; m_strip < 5; m_strip++) {
      const int m_thread = threadIdx.y;
      const int n_thread = threadIdx.x;
      const int at_m_n = m_thread * 32 + n_thread + m_strip * 128;
      if (at_m_n < 576) {
        grid_tile[at_m_n] = grid[min_i32(M - 1, max_i32(m_block * 16 + m_thread + m_strip * 4, 1) - 1) * N + min_i32(N - 1, n_block * 32 + n_thread)];
      }
    }
    const int m_thread = threadIdx.y;
    float products_1st[4];
    float products_2nd[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      const int m_min = min_i32(M - 1, m_block * 16 + m_thread * 4 + m);
      products_1st[m] = 0.5f * (grid[m_min * N + min_i32(N - 1, n_block * 32 + n_thread + 1)] - grid[m_min * N + min_i32(N - 1, max_i32(n_block * 32 + n_thread, 1) - 1)]);
      products_2nd[m] = 0.5f * (grid_tile[m_thread * 128 + n_thread + m * 32 + 64] - grid_tile[m_thread * 128 + n_thread + m * 32]);
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          const int at_n_m = (m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread;
          output_1st[at_n_m] = products_1st[m];
          output_2nd[at_n_m] = products_2nd[m];
        }
      }
    }
  }
}
