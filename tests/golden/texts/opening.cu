// opening(image: M.N.u8) -> M.N.u8 for all M, N where M >= 1, ceil(M, 16) >= 1, N >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ unsigned char min_u8(unsigned char a, unsigned char b) { return a <= b ? a : b; }

__device__ __forceinline__ unsigned char max_u8(unsigned char a, unsigned char b) { return a >= b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) opening(
    const unsigned char* __restrict__ image,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) unsigned char stored[612];
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 612) {
        unsigned char x;
        x = 255;
        for (int i_x_3 = 0; i_x_3 < 9; i_x_3++) {
          x = min_u8(x, image[min_i32(M - 1, max_i32(min_i32(M - 1, max_i32(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34, 1) - 1) + i_x_3 / 3, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34, 1) - 1) + i_x_3 % 3, 1) - 1)]);
        }
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = x;
      }
    }
    const int i_block_2 = threadIdx.y;
    unsigned char stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      const int i_x_5 = threadIdx.x;
      unsigned char x_1;
      x_1 = 0;
      for (int i_x_6 = 0; i_x_6 < 9; i_x_6++) {
        x_1 = max_u8(x_1, stored[i_block_2 * 136 + i_x_4 * 34 + i_x_6 / 3 * 31 + i_x_5 + i_x_6]);
      }
      stored_1[i_x_4] = x_1;
    }
    #pragma unroll
    for (int i_x_7 = 0; i_x_7 < 4; i_x_7++) {
      const int i_x_8 = threadIdx.x;
      if (i_x_1 * 32 + i_x_8 < N) {
        if (i_x * 16 + i_block_2 * 4 + i_x_7 < M) {
          output[(i_x * 16 + i_block_2 * 4 + i_x_7) * N + i_x_1 * 32 + i_x_8] = stored_1[i_x_7];
        }
      }
    }
  }
}
