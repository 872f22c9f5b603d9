// heat3d(speed: f32, grid: L.M.N.f32) -> L.M.N.f32 for all L, M, N where L >= 1, ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) heat3d(
    const float* __restrict__ grid,
    float* __restrict__ output,
    const float speed,
    const int L,
    const int M,
    const int N
) {
  __shared__ __align__(16) float grid_tile[1836];
  for (int l_block = blockIdx.z; l_block < L; l_block += gridDim.z) {
    for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
      const int n_block = blockIdx.x;
      __syncthreads();
      for (int i = 0; i < 5; i++) {
        const int thread_y = threadIdx.y;
        const int thread = threadIdx.x;
        if (thread_y * 32 + thread + i * 128 < 612) {
          for (int l = 0; l < 3; l++) {
            grid_tile[thread_y * 96 + thread * 3 + i * 384 + l] = grid[(min_i32(L - 1, max_i32(l_block + l, 1) - 1) * M + min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1)) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1)];
          }
        }
      }
      const int m_thread = threadIdx.y;
      float stored[4];
      __syncthreads();
      #pragma unroll
      for (int m = 0; m < 4; m++) {
        const int thread = threadIdx.x;
        const float sum = grid_tile[m_thread * 408 + thread * 3 + m * 102 + 105] + grid_tile[m_thread * 408 + thread * 3 + m * 102 + 107] + grid_tile[m_thread * 408 + thread * 3 + m * 102 + 4] + grid_tile[m_thread * 408 + thread * 3 + m * 102 + 208] + grid_tile[m_thread * 408 + thread * 3 + m * 102 + 103];
        const int at_m = m_thread * 408 + thread * 3 + m * 102 + 106;
        stored[m] = grid_tile[at_m] + speed * (sum + grid_tile[m_thread * 408 + thread * 3 + m * 102 + 109] - 6.0f * grid_tile[at_m]);
      }
      #pragma unroll
      for (int m = 0; m < 4; m++) {
        const int n_thread = threadIdx.x;
        if (n_block * 32 + n_thread < N) {
          if (m_block * 16 + m_thread * 4 + m < M) {
            output[(l_block * M + m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = stored[m];
          }
        }
      }
    }
  }
}
