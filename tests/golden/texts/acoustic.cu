// acoustic(before: M.N.f32, now: M.N.f32, speed: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) acoustic(
    const float* __restrict__ before,
    const float* __restrict__ now,
    const float* __restrict__ speed,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float now_tile[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int n_thread = threadIdx.x;
      if (i * 128 + thread_y * 32 + n_thread < 612) {
        now_tile[i * 128 + thread_y * 32 + n_thread] = 0 < m_block * 16 + i * 3 + (thread_y * 32 + i * 26 + n_thread) / 34 && m_block * 16 + i * 3 + (thread_y * 32 + i * 26 + n_thread) / 34 < M + 1 ? (0 < min_i32(N + 1, n_block * 32 + (thread_y * 32 + i * 26 + n_thread) % 34) && min_i32(N + 1, n_block * 32 + (thread_y * 32 + i * 26 + n_thread) % 34) < N + 1 ? now[(m_block * 16 + i * 3 + (thread_y * 32 + i * 26 + n_thread) / 34 - 1) * N + min_i32(N + 1, n_block * 32 + (thread_y * 32 + i * 26 + n_thread) % 34) - 1] : 0.0f) : 0.0f;
      }
    }
    const int m_thread = threadIdx.y;
    float sums[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      const float difference = now_tile[m_thread * 136 + m * 34 + n_thread + 1] + now_tile[m_thread * 136 + m * 34 + n_thread + 34] + now_tile[m_thread * 136 + m * 34 + n_thread + 36] + now_tile[m_thread * 136 + m * 34 + n_thread + 69] - 4.0f * now_tile[m_thread * 136 + m * 34 + n_thread + 35];
      sums[m] = 2.0f * now[min_i32(M - 1, m_block * 16 + m_thread * 4 + m) * N + min_i32(N - 1, n_block * 32 + n_thread)] - before[min_i32(M - 1, m_block * 16 + m_thread * 4 + m) * N + min_i32(N - 1, n_block * 32 + n_thread)] + speed[min_i32(M - 1, m_block * 16 + m_thread * 4 + m) * N + min_i32(N - 1, n_block * 32 + n_thread)] * difference;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = sums[m];
        }
      }
    }
  }
}
