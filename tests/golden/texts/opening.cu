// opening(image: M.N.u8) -> M.N.u8 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ unsigned char min_u8(unsigned char a, unsigned char b) { return a <= b ? a : b; }

__device__ __forceinline__ unsigned char max_u8(unsigned char a, unsigned char b) { return a >= b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) opening(
    const unsigned char* __restrict__ image,
    unsigned char* __restrict__ eroded_by_thread,
    const int M,
    const int N
) {
  __shared__ __align__(16) unsigned char image_tile[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        image_tile[at_thread_y_i] = image[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1)];
      }
    }
    const int thread_y = threadIdx.y;
    unsigned char eroded_by_thread_from_eroded_of_thread[4];
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int thread = threadIdx.x;
      unsigned char eroded_of_thread;
      eroded_of_thread = 255;
      for (int l = 0; l < 9; l++) {
        eroded_of_thread = min_u8(eroded_of_thread, image_tile[thread_y * 136 + thread + j * 34 + l / 3 * 31 + l]);
      }
      eroded_by_thread_from_eroded_of_thread[j] = eroded_of_thread;
    }
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int thread = threadIdx.x;
      if (n_block * 32 + thread < N) {
        if (m_block * 16 + thread_y * 4 + j < M) {
          eroded_by_thread[(m_block * 16 + thread_y * 4 + j) * N + n_block * 32 + thread] = eroded_by_thread_from_eroded_of_thread[j];
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128) opening_1(
    const unsigned char* __restrict__ eroded_by_thread,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) unsigned char eroded_by_thread_1[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        eroded_by_thread_1[at_thread_y_i] = eroded_by_thread[min_i32(M - 1, max_i32(m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(n_block * 32 + (thread_y * 32 + thread + i * 26) % 34, 1) - 1)];
      }
    }
    const int m_thread = threadIdx.y;
    unsigned char maxima[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int thread = threadIdx.x;
      unsigned char maximum;
      maximum = 0;
      for (int j = 0; j < 9; j++) {
        maximum = max_u8(maximum, eroded_by_thread_1[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j]);
      }
      maxima[m] = maximum;
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = maxima[m];
        }
      }
    }
  }
}
