// convolution3x3(weights: 3.3.f32, image: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) convolution3x3(
    const float* __restrict__ weights,
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float image_tile[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int weights_column_thread = threadIdx.x;
      const int at_thread_y_weights_column_i = thread_y * 32 + weights_column_thread + i * 128;
      if (at_thread_y_weights_column_i < 612) {
        const int thread_y_weights_column_i_floor = (thread_y * 32 + weights_column_thread + i * 26) / 34;
        const int at_thread_y_weights_column_m = m_block * 16 + i * 3 + thread_y_weights_column_i_floor;
        const int n_thread_y_weights_column_min = min_i32(N + 1, n_block * 32 + (thread_y * 32 + weights_column_thread + i * 26) % 34);
        image_tile[at_thread_y_weights_column_i] = 0 < at_thread_y_weights_column_m && at_thread_y_weights_column_m < M + 1 ? (0 < n_thread_y_weights_column_min && n_thread_y_weights_column_min < N + 1 ? image[(m_block * 16 + i * 3 + thread_y_weights_column_i_floor - 1) * N + n_thread_y_weights_column_min - 1] : 0.0f) : 0.0f;
      }
    }
    const int m_thread = threadIdx.y;
    float acc[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int weights_column_thread = threadIdx.x;
      float sum;
      sum = 0.0f;
      for (int m_1 = 0; m_1 < 3; m_1++) {
        float sum_from_weights;
        sum_from_weights = 0.0f;
        for (int weights_column = 0; weights_column < 3; weights_column++) {
          sum_from_weights = sum_from_weights + weights[m_1 * 3 + weights_column] * image_tile[m_thread * 136 + weights_column_thread + m * 34 + m_1 * 34 + weights_column];
        }
        sum = sum + sum_from_weights;
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
