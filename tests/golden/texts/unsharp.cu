// unsharp(amount: f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, ceil(M, 16) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) unsharp(
    const float* __restrict__ image,
    float* __restrict__ output,
    const float amount,
    const int M,
    const int N
) {
  __shared__ __align__(16) float sums_from_image[576];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int m_strip = 0; m_strip < 5; m_strip++) {
      const int m_thread = threadIdx.y;
      const int n_thread = threadIdx.x;
      const int at_m_n = m_thread * 32 + n_thread + m_strip * 128;
      if (at_m_n < 576) {
        const int n_min = min_i32(N - 1, n_block * 32 + n_thread);
        const int m_min = min_i32(M - 1, max_i32(m_block * 16 + m_thread + m_strip * 4, 1) - 1);
        sums_from_image[at_m_n] = 0.25f * image[m_min * N + min_i32(N - 1, max_i32(n_min, 1) - 1)] + 0.5f * image[m_min * N + min_i32(N - 1, max_i32(n_min + 1, 1) - 1)] + 0.25f * image[m_min * N + min_i32(N - 1, max_i32(n_min + 2, 1) - 1)];
      }
    }
    const int m_thread = threadIdx.y;
    float sums_from_amount[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      const int at_n_m = min_i32(M - 1, m_block * 16 + m_thread * 4 + m) * N + min_i32(N - 1, n_block * 32 + n_thread);
      const float difference = image[at_n_m] - (0.25f * sums_from_image[m_thread * 128 + n_thread + m * 32] + 0.5f * sums_from_image[m_thread * 128 + n_thread + m * 32 + 32] + 0.25f * sums_from_image[m_thread * 128 + n_thread + m * 32 + 64]);
      sums_from_amount[m] = image[at_n_m] + amount * difference;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = sums_from_amount[m];
        }
      }
    }
  }
}
