// gray_scott(feed: f32, kill: f32, grid: M.N.(f32, f32)) -> M.N.(f32, f32) for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) gray_scott(
    const float* __restrict__ grid_1,
    const float* __restrict__ grid_2,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const float feed,
    const float kill,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[612];
  __shared__ __align__(16) float stored_1[612];
  __shared__ __align__(16) float stored_2[612];
  __shared__ __align__(16) float stored_3[612];
  const float feed_1 = feed;
  const float kill_1 = kill;
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 612) {
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = grid_1[min_i32(M - 1, max_i32(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34, 1) - 1)];
        stored_1[i_block * 128 + i_block_1 * 32 + i_x_2] = grid_2[min_i32(M - 1, max_i32(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34, 1) - 1)];
      }
    }
    for (int i_block_2 = 0; i_block_2 < 5; i_block_2++) {
      const int i_block_3 = threadIdx.y;
      const int i_x_3 = threadIdx.x;
      if (i_block_2 * 128 + i_block_3 * 32 + i_x_3 < 612) {
        stored_2[i_block_2 * 128 + i_block_3 * 32 + i_x_3] = grid_1[min_i32(M - 1, max_i32(i_x * 16 + i_block_2 * 3 + (i_block_3 * 32 + i_block_2 * 26 + i_x_3) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_3 * 32 + i_block_2 * 26 + i_x_3) % 34, 1) - 1)];
        stored_3[i_block_2 * 128 + i_block_3 * 32 + i_x_3] = grid_2[min_i32(M - 1, max_i32(i_x * 16 + i_block_2 * 3 + (i_block_3 * 32 + i_block_2 * 26 + i_x_3) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_3 * 32 + i_block_2 * 26 + i_x_3) % 34, 1) - 1)];
      }
    }
    const int i_block_4 = threadIdx.y;
    float stored_4[4];
    float stored_5[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      const int i_x_5 = threadIdx.x;
      const float u = stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 35];
      const float v = stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 35];
      const float made = u * v * v;
      const float x = stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 1] + stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 34] + stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 36] + stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 69] - 4.0f * stored[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 35];
      const float x_1 = u + 0.16f * x - made + feed_1 * (1.0f - u);
      const float x_2 = stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 1] + stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 34] + stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 36] + stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 69] - 4.0f * stored_3[i_block_4 * 136 + i_x_4 * 34 + i_x_5 + 35];
      const float x_3 = v + 0.08f * x_2 + made - (feed_1 + kill_1) * v;
      stored_4[i_x_4] = x_1;
      stored_5[i_x_4] = x_3;
    }
    #pragma unroll
    for (int i_x_6 = 0; i_x_6 < 4; i_x_6++) {
      const int i_x_7 = threadIdx.x;
      if (i_x_1 * 32 + i_x_7 < N) {
        if (i_x * 16 + i_block_4 * 4 + i_x_6 < M) {
          output_1[(i_x * 16 + i_block_4 * 4 + i_x_6) * N + i_x_1 * 32 + i_x_7] = stored_4[i_x_6];
          output_2[(i_x * 16 + i_block_4 * 4 + i_x_6) * N + i_x_1 * 32 + i_x_7] = stored_5[i_x_6];
        }
      }
    }
  }
}
