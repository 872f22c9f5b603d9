// heat3d(speed: f32, grid: L.M.N.f32) -> L.M.N.f32 for all L, M, N where L >= 1, ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) heat3d(
    const float* __restrict__ grid,
    float* __restrict__ output,
    const float speed,
    const int L,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[1836];
  const float speed_1 = speed;
  for (int i_x = blockIdx.z; i_x < L; i_x += gridDim.z) {
    for (int i_x_1 = blockIdx.y; i_x_1 < (M + 15) / 16; i_x_1 += gridDim.y) {
      const int i_x_2 = blockIdx.x;
      __syncthreads();
      for (int i_block = 0; i_block < 5; i_block++) {
        const int i_block_1 = threadIdx.y;
        const int i_x_3 = threadIdx.x;
        if (i_block * 128 + i_block_1 * 32 + i_x_3 < 612) {
          for (int i_x_4 = 0; i_x_4 < 3; i_x_4++) {
            stored[i_block * 384 + i_block_1 * 96 + i_x_3 * 3 + i_x_4] = grid[(min_i32(L - 1, max_i32(i_x + i_x_4, 1) - 1) * M + min_i32(M - 1, max_i32(i_x_1 * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_3) / 34, 1) - 1)) * N + min_i32(N - 1, max_i32(i_x_2 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_3) % 34, 1) - 1)];
          }
        }
      }
      const int i_block_2 = threadIdx.y;
      float stored_1[4];
      __syncthreads();
      #pragma unroll
      for (int i_x_5 = 0; i_x_5 < 4; i_x_5++) {
        const int i_x_6 = threadIdx.x;
        const float x = stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 105] + stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 107] + stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 4] + stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 208] + stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 103];
        const float x_1 = stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 106] + speed_1 * (x + stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 109] - 6.0f * stored[i_block_2 * 408 + i_x_5 * 102 + i_x_6 * 3 + 106]);
        stored_1[i_x_5] = x_1;
      }
      #pragma unroll
      for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
        const int i_x_8 = threadIdx.x;
        if (i_x_2 * 32 + i_x_8 < N) {
          if (i_x_1 * 16 + i_block_2 * 4 + i_x_7 < M) {
            output[(i_x * M + i_x_1 * 16 + i_block_2 * 4 + i_x_7) * N + i_x_2 * 32 + i_x_8] = stored_1[i_x_7];
          }
        }
      }
    }
  }
}
