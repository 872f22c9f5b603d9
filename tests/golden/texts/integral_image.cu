// integral_image(image: M.N.i32) -> M.N.i32 for all M, N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) integral_image(
    const int* __restrict__ image,
    int* __restrict__ stored,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < M; i_x += gridDim.x * 256) {
    int x;
    x = 0;
    for (int i_x_1 = 0; i_x_1 < N; i_x_1++) {
      x = add_i32(x, image[i_x * N + i_x_1]);
      stored[i_x * N + i_x_1] = x;
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
  const int i_x_2 = blockIdx.x;
  const int i_part = threadIdx.x;
  int x_1;
  x_1 = 0;
  for (int i_x_3 = 0; i_x_3 < M / 256 + 1; i_x_3++) {
    x_1 = add_i32(x_1, i_part * (M / 256) + i_part + i_x_3 < M ? stored[(i_part * (M / 256) + i_part + i_x_3) * N + i_x_2] : 0);
  }
  parts[i_part] = x_1;
  int stored_2;
  int ys;
  int ys_1;
  int ys_2;
  int ys_3;
  int ys_4;
  int ys_5;
  int x_2;
  x_2 = 0;
  __syncthreads();
  for (int i_x_4 = 0; i_x_4 < 8; i_x_4++) {
    x_2 = add_i32(x_2, parts[lane * 8 + i_x_4]);
  }
  ys_5 = x_2;
  ys_4 = add_i32(0, ys_5);
  const int ys_4_of_lane = __shfl_sync(0xffffffff, ys_4, lane - 1);
  const int p_1 = 0 < lane ? ys_4_of_lane : 0;
  ys_3 = add_i32(p_1, ys_4);
  const int ys_3_of_lane = __shfl_sync(0xffffffff, ys_3, lane - 2);
  const int p_1_1 = 1 < lane ? ys_3_of_lane : 0;
  ys_2 = add_i32(p_1_1, ys_3);
  const int ys_2_of_lane = __shfl_sync(0xffffffff, ys_2, lane - 4);
  const int p_1_2 = 3 < lane ? ys_2_of_lane : 0;
  ys_1 = add_i32(p_1_2, ys_2);
  const int ys_1_of_lane = __shfl_sync(0xffffffff, ys_1, lane - 8);
  const int p_1_3 = 7 < lane ? ys_1_of_lane : 0;
  ys = add_i32(p_1_3, ys_1);
  const int ys_of_lane = __shfl_sync(0xffffffff, ys, lane - 16);
  const int p_1_4 = 15 < lane ? ys_of_lane : 0;
  stored_2 = add_i32(p_1_4, ys);
  int x_3;
  const int stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane - 1);
  x_3 = 0 < lane ? stored_2_of_lane : 0;
  for (int i_x_6 = 0; i_x_6 < 8; i_x_6++) {
    x_3 = add_i32(x_3, parts[lane * 8 + i_x_6]);
    if (warp < 1) {
      const int once = warp;
      stored_1[lane * 8 + i_x_6] = x_3;
    }
  }
  const int i_q_1 = threadIdx.x;
  int x_4;
  __syncthreads();
  x_4 = 0 < i_q_1 ? stored_1[i_q_1 - 1] : 0;
  for (int i_x_7 = 0; i_x_7 < M / 256 + 1; i_x_7++) {
    x_4 = add_i32(x_4, i_q_1 * (M / 256) + i_q_1 + i_x_7 < M ? stored[(i_q_1 * (M / 256) + i_q_1 + i_x_7) * N + i_x_2] : 0);
    if (i_q_1 * (M / 256) + i_q_1 + i_x_7 < M) {
      output[(i_q_1 * (M / 256) + i_q_1 + i_x_7) * N + i_x_2] = x_4;
    }
  }
}
