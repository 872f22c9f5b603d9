// harris(image: (M + 4).(N + 4).f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) harris(
    const float* __restrict__ image,
    float* __restrict__ gradient,
    float* __restrict__ gradient_1,
    const int M,
    const int N
) {
  __shared__ __align__(16) float image_tile[612];
  for (int m_block = blockIdx.y; m_block < (M + 1) / 16 + 1; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i < 612) {
        image_tile[i_block * 128 + i_block_1 * 32 + i] = image[min_i32(M + 3, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 3, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 4 + min_i32(N + 3, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)];
      }
    }
    const int i_block = threadIdx.y;
    float stored[4];
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      const int j = threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int k = 0; k < 9; k++) {
        const float x = k < 4 ? (k < 2 ? (k < 1 ? -1.0f : 0.0f) : k < 3 ? 1.0f : -2.0f) : k < 6 ? (k < 5 ? 0.0f : 2.0f) : k < 7 ? -1.0f : k < 8 ? 0.0f : 1.0f;
        acc = acc + x * image_tile[i_block * 136 + i * 34 + k / 3 * 31 + j + k];
      }
      float acc_1;
      acc_1 = 0.0f;
      for (int k = 0; k < 9; k++) {
        const float x = k < 4 ? (k < 2 ? (k < 1 ? -1.0f : -2.0f) : k < 3 ? -1.0f : 0.0f) : k < 6 ? (k < 5 ? 0.0f : 0.0f) : k < 7 ? 1.0f : k < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x * image_tile[i_block * 136 + i * 34 + k / 3 * 31 + j + k];
      }
      stored[i] = acc;
      stored_1[i] = acc_1;
    }
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      const int j = threadIdx.x;
      if (n_block * 32 + j < N + 2) {
        if (m_block * 16 + i_block * 4 + i < M + 2) {
          gradient[(m_block * 16 + i_block * 4 + i) * N + m_block * 32 + n_block * 32 + i_block * 8 + i * 2 + j] = stored[i];
          gradient_1[(m_block * 16 + i_block * 4 + i) * N + m_block * 32 + n_block * 32 + i_block * 8 + i * 2 + j] = stored_1[i];
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128) harris_1(
    const float* __restrict__ gradient,
    const float* __restrict__ gradient_1,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[612];
  __shared__ __align__(16) float stored_1[612];
  __shared__ __align__(16) float stored_2[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i < 612) {
        stored[i_block * 128 + i_block_1 * 32 + i] = gradient[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)] * gradient[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)];
      }
    }
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i < 612) {
        stored_1[i_block * 128 + i_block_1 * 32 + i] = gradient_1[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)] * gradient_1[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)];
      }
    }
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i < 612) {
        stored_2[i_block * 128 + i_block_1 * 32 + i] = gradient[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)] * gradient_1[min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * N + min_i32(M + 1, m_block * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i) / 34) * 2 + min_i32(N + 1, n_block * 32 + (i_block_1 * 32 + i_block * 26 + i) % 34)];
      }
    }
    const int m_thread = threadIdx.y;
    float stored_3[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int i = threadIdx.x;
      float x;
      x = 0.0f;
      for (int j = 0; j < 9; j++) {
        x = x + stored[m_thread * 136 + m * 34 + j / 3 * 31 + i + j];
      }
      const float sums = x;
      float x_1;
      x_1 = 0.0f;
      for (int j = 0; j < 9; j++) {
        x_1 = x_1 + stored_1[m_thread * 136 + m * 34 + j / 3 * 31 + i + j];
      }
      const float sums_1 = x_1;
      const float trace = sums + sums_1;
      float x_2;
      x_2 = 0.0f;
      for (int j = 0; j < 9; j++) {
        x_2 = x_2 + stored_2[m_thread * 136 + m * 34 + j / 3 * 31 + i + j];
      }
      const float xySum = x_2;
      stored_3[m] = sums * sums_1 - xySum * xySum - 0.04f * (trace * trace);
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = stored_3[m];
        }
      }
    }
  }
}
