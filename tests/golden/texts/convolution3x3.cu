// convolution3x3(weights: 3.3.f32, image: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) convolution3x3(
    const float* __restrict__ weights,
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[612];
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 612) {
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = 0 < i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 && i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 < M + 1 ? (0 < min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) && min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) < N + 1 ? image[(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 - 1) * N + min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) - 1] : 0.0f) : 0.0f;
      }
    }
    const int i_block_2 = threadIdx.y;
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_x_4 = threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int i_x_5 = 0; i_x_5 < 3; i_x_5++) {
        float acc_1;
        acc_1 = 0.0f;
        for (int i_x_6 = 0; i_x_6 < 3; i_x_6++) {
          acc_1 = acc_1 + weights[i_x_5 * 3 + i_x_6] * stored[i_block_2 * 136 + i_x_3 * 34 + i_x_5 * 34 + i_x_4 + i_x_6];
        }
        acc = acc + acc_1;
      }
      stored_1[i_x_3] = acc;
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
