// integral_image(image: M.N.i32) -> M.N.i32 for all M, N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) integral_image(
    const int* __restrict__ image,
    int* __restrict__ stored,
    const int M,
    const int N
) {
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    int x;
    x = 0;
    for (int n = 0; n < N; n++) {
      x = add_i32(x, image[m * N + n]);
      stored[m * N + n] = x;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) integral_image_1(
    const int* __restrict__ stored,
    int* __restrict__ output,
    const int M,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_1[256];
  __shared__ __align__(16) int parts[256];
  const int n_block = blockIdx.x;
  const int m_thread = threadIdx.x;
  int x;
  x = 0;
  for (int m = 0; m < M / 256 + 1; m++) {
    x = add_i32(x, m_thread * (M / 256) + m_thread + m < M ? stored[(m_thread * (M / 256) + m_thread + m) * N + n_block] : 0);
  }
  parts[m_thread] = x;
  int stored_2;
  int ys;
  int ys_1;
  int ys_2;
  int ys_3;
  int ys_4;
  int ys_5;
  int x_1;
  x_1 = 0;
  __syncthreads();
  for (int m_tile = 0; m_tile < 8; m_tile++) {
    x_1 = add_i32(x_1, parts[lane * 8 + m_tile]);
  }
  ys_5 = x_1;
  ys_4 = add_i32(0, ys_5);
  const int ys_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const int p = 0 < lane ? ys_of_lane : 0;
  ys_3 = add_i32(p, ys_4);
  const int ys_of_lane_1 = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const int p_1 = 1 < lane ? ys_of_lane_1 : 0;
  ys_2 = add_i32(p_1, ys_3);
  const int ys_of_lane_2 = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const int p_2 = 3 < lane ? ys_of_lane_2 : 0;
  ys_1 = add_i32(p_2, ys_2);
  const int ys_of_lane_3 = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const int p_3 = 7 < lane ? ys_of_lane_3 : 0;
  ys = add_i32(p_3, ys_1);
  const int ys_of_lane_4 = __shfl_sync(0xffffffff, ys, lane - 16);
  const int p_4 = 15 < lane ? ys_of_lane_4 : 0;
  stored_2 = add_i32(p_4, ys);
  int x_2;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_2, lane - 1);
  x_2 = 0 < lane ? stored_of_lane : 0;
  for (int m_tile = 0; m_tile < 8; m_tile++) {
    x_2 = add_i32(x_2, parts[lane * 8 + m_tile]);
    if (warp < 1) {
      stored_1[lane * 8 + m_tile] = x_2;
    }
  }
  int x_3;
  __syncthreads();
  x_3 = 0 < m_thread ? stored_1[m_thread - 1] : 0;
  for (int m = 0; m < M / 256 + 1; m++) {
    x_3 = add_i32(x_3, m_thread * (M / 256) + m_thread + m < M ? stored[(m_thread * (M / 256) + m_thread + m) * N + n_block] : 0);
    if (m_thread * (M / 256) + m_thread + m < M) {
      output[(m_thread * (M / 256) + m_thread + m) * N + n_block] = x_3;
    }
  }
}
