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
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        image_tile[i * 128 + j * 32 + k] = image[min_i32(M + 3, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 3, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 4 + min_i32(N + 3, n_block * 32 + (j * 32 + i * 26 + k) % 34)];
      }
    }
    const int i = threadIdx.y;
    float stored[4];
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int k = threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int l = 0; l < 9; l++) {
        const float x = l < 4 ? (l < 2 ? (l < 1 ? -1.0f : 0.0f) : l < 3 ? 1.0f : -2.0f) : l < 6 ? (l < 5 ? 0.0f : 2.0f) : l < 7 ? -1.0f : l < 8 ? 0.0f : 1.0f;
        acc = acc + x * image_tile[i * 136 + j * 34 + l / 3 * 31 + k + l];
      }
      float acc_1;
      acc_1 = 0.0f;
      for (int l = 0; l < 9; l++) {
        const float x = l < 4 ? (l < 2 ? (l < 1 ? -1.0f : -2.0f) : l < 3 ? -1.0f : 0.0f) : l < 6 ? (l < 5 ? 0.0f : 0.0f) : l < 7 ? 1.0f : l < 8 ? 2.0f : 1.0f;
        acc_1 = acc_1 + x * image_tile[i * 136 + j * 34 + l / 3 * 31 + k + l];
      }
      stored[j] = acc;
      stored_1[j] = acc_1;
    }
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int k = threadIdx.x;
      if (n_block * 32 + k < N + 2) {
        if (m_block * 16 + i * 4 + j < M + 2) {
          gradient[(m_block * 16 + i * 4 + j) * N + m_block * 32 + n_block * 32 + i * 8 + j * 2 + k] = stored[j];
          gradient_1[(m_block * 16 + i * 4 + j) * N + m_block * 32 + n_block * 32 + i * 8 + j * 2 + k] = stored_1[j];
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
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        stored[i * 128 + j * 32 + k] = gradient[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)] * gradient[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)];
      }
    }
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        stored_1[i * 128 + j * 32 + k] = gradient_1[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)] * gradient_1[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)];
      }
    }
    for (int i = 0; i < 5; i++) {
      const int j = threadIdx.y;
      const int k = threadIdx.x;
      if (i * 128 + j * 32 + k < 612) {
        stored_2[i * 128 + j * 32 + k] = gradient[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)] * gradient_1[min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (j * 32 + i * 26 + k) / 34) * 2 + min_i32(N + 1, n_block * 32 + (j * 32 + i * 26 + k) % 34)];
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
