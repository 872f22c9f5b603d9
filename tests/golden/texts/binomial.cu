// binomial(image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, ceil(M, 16) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) binomial(
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[576];
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_block = blockIdx.x;
    __syncthreads();
    for (int i_block_1 = 0; i_block_1 < 5; i_block_1++) {
      const int i_block_2 = threadIdx.y;
      const int i_x_1 = threadIdx.x;
      if (i_block_1 * 128 + i_block_2 * 32 + i_x_1 < 576) {
        stored[i_block_1 * 128 + i_block_2 * 32 + i_x_1] = 0.25f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block_1 * 4 + i_block_2, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_block * 32 + i_x_1), 1) - 1)] + 0.5f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block_1 * 4 + i_block_2, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_block * 32 + i_x_1) + 1, 1) - 1)] + 0.25f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block_1 * 4 + i_block_2, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_block * 32 + i_x_1) + 2, 1) - 1)];
      }
    }
    const int i_block_3 = threadIdx.y;
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_2 = 0; i_x_2 < 4; i_x_2++) {
      const int i_p = threadIdx.x;
      stored_1[i_x_2] = 0.25f * stored[i_block_3 * 128 + i_x_2 * 32 + i_p] + 0.5f * stored[i_block_3 * 128 + i_x_2 * 32 + i_p + 32] + 0.25f * stored[i_block_3 * 128 + i_x_2 * 32 + i_p + 64];
    }
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_x_4 = threadIdx.x;
      if (i_block * 32 + i_x_4 < N) {
        if (i_x * 16 + i_block_3 * 4 + i_x_3 < M) {
          output[(i_x * 16 + i_block_3 * 4 + i_x_3) * N + i_block * 32 + i_x_4] = stored_1[i_x_3];
        }
      }
    }
  }
}
