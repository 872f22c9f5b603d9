// binomial(image: M.N.f32) -> M.N.f32 for all M, N where ceil(N, 16) >= 1, ceil(M, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(136) binomial(
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float image_tile[1632];
  __shared__ __align__(16) float sums34[144];
  for (int n_block = blockIdx.y; n_block < (N + 15) / 16; n_block += gridDim.y) {
    const int m_block = blockIdx.x;
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      if (threadIdx.x < 32) {
        const int thread = threadIdx.x;
        if (thread_y * 32 + thread + i * 128 < 544) {
          for (int n = 0; n < 3; n++) {
            image_tile[thread_y * 96 + thread * 3 + i * 384 + n] = image[min_i32(M - 1, max_i32(m_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34 + n, 1) - 1)];
          }
        }
      }
    }
    const int n_thread = threadIdx.y;
    float sums32[4];
    #pragma unroll
    for (int n = 0; n < 4; n++) {
      const int w_thread = threadIdx.x;
      __syncthreads();
      sums34[n_thread * 36 + w_thread] = 0.25f * image_tile[n_thread * 408 + w_thread * 3 + n * 102] + 0.5f * image_tile[n_thread * 408 + w_thread * 3 + n * 102 + 1] + 0.25f * image_tile[n_thread * 408 + w_thread * 3 + n * 102 + 2];
      __syncthreads();
      if (threadIdx.x < 32) {
        const int tile_thread = threadIdx.x;
        sums32[n] = 0.25f * sums34[n_thread * 36 + tile_thread] + 0.5f * sums34[n_thread * 36 + tile_thread + 1] + 0.25f * sums34[n_thread * 36 + tile_thread + 2];
      }
    }
    #pragma unroll
    for (int n = 0; n < 4; n++) {
      if (threadIdx.x < 32) {
        const int m_thread = threadIdx.x;
        if (m_block * 32 + m_thread < M) {
          if (n_block * 16 + n_thread * 4 + n < N) {
            output[(m_block * 32 + m_thread) * N + n_block * 16 + n_thread * 4 + n] = sums32[n];
          }
        }
      }
    }
  }
}
