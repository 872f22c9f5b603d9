// harris(image: (M + 4).(N + 4).f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) harris(
    const float* __restrict__ image,
    float* __restrict__ gradient_by_thread_1st,
    float* __restrict__ gradient_by_thread_2nd,
    const int M,
    const int N
) {
  __shared__ __align__(16) float image_tile[612];
  static __align__(16) const float constants[9] = {-1.0f, 0.0f, 1.0f, -2.0f, 0.0f, 2.0f, -1.0f, 0.0f, 1.0f};
  static __align__(16) const float constants_1[9] = {-1.0f, -2.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 1.0f};
  for (int m_block = blockIdx.y; m_block < (M + 1) / 16 + 1; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        image_tile[at_thread_y_i] = image[min_i32(M + 3, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * N + min_i32(M + 3, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * 4 + min_i32(N + 3, n_block * 32 + (thread_y * 32 + thread + i * 26) % 34)];
      }
    }
    const int thread_y = threadIdx.y;
    float gradient_by_thread_1st_1[4];
    float gradient_by_thread_2nd_1[4];
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int thread = threadIdx.x;
      float gradient_1st_of_thread;
      gradient_1st_of_thread = 0.0f;
      for (int l = 0; l < 9; l++) {
        gradient_1st_of_thread = gradient_1st_of_thread + constants[l] * image_tile[thread_y * 136 + thread + j * 34 + l / 3 * 31 + l];
      }
      float gradient_2nd_of_thread;
      gradient_2nd_of_thread = 0.0f;
      for (int l = 0; l < 9; l++) {
        gradient_2nd_of_thread = gradient_2nd_of_thread + constants_1[l] * image_tile[thread_y * 136 + thread + j * 34 + l / 3 * 31 + l];
      }
      gradient_by_thread_1st_1[j] = gradient_1st_of_thread;
      gradient_by_thread_2nd_1[j] = gradient_2nd_of_thread;
    }
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      const int thread = threadIdx.x;
      if (n_block * 32 + thread < N + 2) {
        if (m_block * 16 + thread_y * 4 + j < M + 2) {
          const int at_n_thread_y_m = (m_block * 16 + thread_y * 4 + j) * N + n_block * 32 + m_block * 32 + thread_y * 8 + thread + j * 2;
          gradient_by_thread_1st[at_n_thread_y_m] = gradient_by_thread_1st_1[j];
          gradient_by_thread_2nd[at_n_thread_y_m] = gradient_by_thread_2nd_1[j];
        }
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(128) harris_1(
    const float* __restrict__ gradient_by_thread_1st,
    const float* __restrict__ gradient_by_thread_2nd,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float products_for_sums_1st[612];
  __shared__ __align__(16) float products_for_sums_2nd[612];
  __shared__ __align__(16) float products_for_xySum[612];
  for (int m_block = blockIdx.y; m_block < (M + 15) / 16; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    __syncthreads();
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_n_thread_y_m = min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * 2 + min_i32(N + 1, n_block * 32 + (thread_y * 32 + thread + i * 26) % 34);
        products_for_sums_1st[at_thread_y_i] = gradient_by_thread_1st[at_n_thread_y_m] * gradient_by_thread_1st[at_n_thread_y_m];
      }
    }
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_n_thread_y_m = min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * 2 + min_i32(N + 1, n_block * 32 + (thread_y * 32 + thread + i * 26) % 34);
        products_for_sums_2nd[at_thread_y_i] = gradient_by_thread_2nd[at_n_thread_y_m] * gradient_by_thread_2nd[at_n_thread_y_m];
      }
    }
    for (int i = 0; i < 5; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      const int at_thread_y_i = thread_y * 32 + thread + i * 128;
      if (at_thread_y_i < 612) {
        const int at_n_thread_y_m = min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * N + min_i32(M + 1, m_block * 16 + i * 3 + (thread_y * 32 + thread + i * 26) / 34) * 2 + min_i32(N + 1, n_block * 32 + (thread_y * 32 + thread + i * 26) % 34);
        products_for_xySum[at_thread_y_i] = gradient_by_thread_1st[at_n_thread_y_m] * gradient_by_thread_2nd[at_n_thread_y_m];
      }
    }
    const int m_thread = threadIdx.y;
    float differences[4];
    __syncthreads();
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int thread = threadIdx.x;
      float sums_1st;
      sums_1st = 0.0f;
      for (int j = 0; j < 9; j++) {
        sums_1st = sums_1st + products_for_sums_1st[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j];
      }
      float sums_2nd;
      sums_2nd = 0.0f;
      for (int j = 0; j < 9; j++) {
        sums_2nd = sums_2nd + products_for_sums_2nd[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j];
      }
      const float trace = sums_1st + sums_2nd;
      float xySum;
      xySum = 0.0f;
      for (int j = 0; j < 9; j++) {
        xySum = xySum + products_for_xySum[m_thread * 136 + thread + m * 34 + j / 3 * 31 + j];
      }
      differences[m] = sums_1st * sums_2nd - xySum * xySum - 0.04f * (trace * trace);
    }
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      const int n_thread = threadIdx.x;
      if (n_block * 32 + n_thread < N) {
        if (m_block * 16 + m_thread * 4 + m < M) {
          output[(m_block * 16 + m_thread * 4 + m) * N + n_block * 32 + n_thread] = differences[m];
        }
      }
    }
  }
}
