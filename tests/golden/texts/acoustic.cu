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
      const int at_thread_y_n_i = thread_y * 32 + n_thread + i * 128;
      if (at_thread_y_n_i < 612) {
        const int at_thread_y_n_thread_i = thread_y * 32 + n_thread + i * 26;
        const int thread_y_n_i_floor = at_thread_y_n_thread_i / 34;
        const int at_thread_y_n_m = m_block * 16 + i * 3 + thread_y_n_i_floor;
        const int n_thread_y_i_min = min_i32(N + 1, n_block * 32 + at_thread_y_n_thread_i % 34);
        now_tile[at_thread_y_n_i] = 0 < at_thread_y_n_m && at_thread_y_n_m < M + 1 ? (0 < n_thread_y_i_min && n_thread_y_i_min < N + 1 ? now[(m_block * 16 + i * 3 + thread_y_n_i_floor - 1) * N + n_thread_y_i_min - 1] : 0.0f) : 0.0f;
      }
    }
    const int m_thread = threadIdx.y;
    float sums[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      const float difference = now_tile[m_thread * 136 + n_thread + m * 34 + 1] + now_tile[m_thread * 136 + n_thread + m * 34 + 34] + now_tile[m_thread * 136 + n_thread + m * 34 + 36] + now_tile[m_thread * 136 + n_thread + m * 34 + 69] - 4.0f * now_tile[m_thread * 136 + n_thread + m * 34 + 35];
      const int at_n_m = min_i32(M - 1, m_block * 16 + m_thread * 4 + m) * N + min_i32(N - 1, n_block * 32 + n_thread);
      sums[m] = 2.0f * now[at_n_m] - before[at_n_m] + speed[at_n_m] * difference;
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
