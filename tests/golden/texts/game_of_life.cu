// game_of_life(grid: M.N.u8) -> M.N.u8 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) game_of_life(
    const unsigned char* __restrict__ grid,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) unsigned char grid_tile[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_thread_y_thread_i = thread_y * 32 + thread + i * 26;
        const int thread_y_i_floor = at_thread_y_thread_i / 34;
        const int at_thread_y_m_i = m_block * 16 + i * 3 + thread_y_i_floor;
        const int n_thread_y_i_min = min_i32(N + 1, n_block * 32 + at_thread_y_thread_i % 34);
        grid_tile[at_thread_y_i] = 0 < at_thread_y_m_i && at_thread_y_m_i < M + 1 ? (0 < n_thread_y_i_min && n_thread_y_i_min < N + 1 ? grid[(m_block * 16 + i * 3 + thread_y_i_floor - 1) * N + n_thread_y_i_min - 1] : 0) : 0;
      }
    }
    const int m_thread = threadIdx.y;
    unsigned char stored[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int thread = threadIdx.x;
      unsigned char alive;
      alive = 0;
      for (int j = 0; j < 9; j++) {
        alive = (unsigned char)(alive + grid_tile[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j]);
      }
      stored[m] = alive == 3 || (alive == 4 && grid_tile[m_thread * 136 + thread + m * 34 + 35] == 1) ? 1 : 0;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = stored[m];
        }
      }
    }
  }
}
