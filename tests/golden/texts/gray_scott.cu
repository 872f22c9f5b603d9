// gray_scott(feed: f32, kill: f32, grid: M.N.(f32, f32)) -> M.N.(f32, f32) for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) gray_scott(
    const float* __restrict__ grid_1st,
    const float* __restrict__ grid_2nd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const float feed,
    const float kill,
    const int M,
    const int N
) {
  __shared__ __align__(16) float grid_1st_tile[612];
  __shared__ __align__(16) float grid_2nd_tile[612];
  float* const grid_1st_tile_1 = grid_2nd_tile;
  __shared__ __align__(16) float grid_2nd_tile_1[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_n_thread_y_m = min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1);
        grid_1st_tile[at_thread_y_i] = grid_1st[at_n_thread_y_m];
        grid_2nd_tile[at_thread_y_i] = grid_2nd[at_n_thread_y_m];
      }
    }
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_n_thread_y_m = min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1);
        grid_1st_tile_1[at_thread_y_i] = grid_1st[at_n_thread_y_m];
        grid_2nd_tile_1[at_thread_y_i] = grid_2nd[at_n_thread_y_m];
      }
    }
    const int m_thread = threadIdx.y;
    float stored_1st[4];
    float stored_2nd[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int thread = threadIdx.x;
      const int at_m = m_thread * 136 + thread + m * 34 + 35;
      const float u = grid_1st_tile[at_m];
      const float v = grid_2nd_tile_1[at_m];
      const float made = u * v * v;
      const int at_m_thread_thread_m = m_thread * 136 + thread + m * 34 + 69;
      const float difference_from_grid_1st_tile = grid_1st_tile[m_thread * 136 + thread + m * 34 + 1] + grid_1st_tile[m_thread * 136 + thread + m * 34 + 34] + grid_1st_tile[m_thread * 136 + thread + m * 34 + 36] + grid_1st_tile[at_m_thread_thread_m] - 4.0f * grid_1st_tile[at_m];
      const float difference_from_grid_2nd_tile = grid_2nd_tile_1[m_thread * 136 + thread + m * 34 + 1] + grid_2nd_tile_1[m_thread * 136 + thread + m * 34 + 34] + grid_2nd_tile_1[m_thread * 136 + thread + m * 34 + 36] + grid_2nd_tile_1[at_m_thread_thread_m] - 4.0f * grid_2nd_tile_1[at_m];
      const float difference_from_v = v + 0.08f * difference_from_grid_2nd_tile + made - (feed + kill) * v;
      stored_1st[m] = u + 0.16f * difference_from_grid_1st_tile - made + feed * (1.0f - u);
      stored_2nd[m] = difference_from_v;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          const int at_n_m = (m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread;
          output_1st[at_n_m] = stored_1st[m];
          output_2nd[at_n_m] = stored_2nd[m];
        }
      }
    }
  }
}
