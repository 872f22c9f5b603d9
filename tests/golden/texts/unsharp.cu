// unsharp(amount: f32, image: M.N.f32) -> M.N.f32 for all M, N where N >= 1, ceil(M, 16) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) unsharp(
    const float* __restrict__ image,
    float* __restrict__ output,
    const float amount,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[576];
  const float amount_1 = amount;
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 576) {
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = 0.25f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block * 4 + i_block_1, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_x_1 * 32 + i_x_2), 1) - 1)] + 0.5f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block * 4 + i_block_1, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_x_1 * 32 + i_x_2) + 1, 1) - 1)] + 0.25f * image[min_i32(M - 1, max_i32(i_x * 16 + i_block * 4 + i_block_1, 1) - 1) * N + min_i32(N - 1, max_i32(min_i32(N - 1, i_x_1 * 32 + i_x_2) + 2, 1) - 1)];
      }
    }
    const int i_block_2 = threadIdx.y;
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_p = threadIdx.x;
      const float x = image[min_i32(M - 1, i_x * 16 + i_block_2 * 4 + i_x_3) * N + min_i32(N - 1, i_x_1 * 32 + i_p)] - (0.25f * stored[i_block_2 * 128 + i_x_3 * 32 + i_p] + 0.5f * stored[i_block_2 * 128 + i_x_3 * 32 + i_p + 32] + 0.25f * stored[i_block_2 * 128 + i_x_3 * 32 + i_p + 64]);
      stored_1[i_x_3] = image[min_i32(M - 1, i_x * 16 + i_block_2 * 4 + i_x_3) * N + min_i32(N - 1, i_x_1 * 32 + i_p)] + amount_1 * x;
    }
    #pragma unroll
    for (int i_x_4 = 0; i_x_4 < 4; i_x_4++) {
      const int i_x_5 = threadIdx.x;
      if (i_x_1 * 32 + i_x_5 < N) {
        if (i_x * 16 + i_block_2 * 4 + i_x_4 < M) {
          output[(i_x * 16 + i_block_2 * 4 + i_x_4) * N + i_x_1 * 32 + i_x_5] = stored_1[i_x_4];
        }
      }
    }
  }
}
