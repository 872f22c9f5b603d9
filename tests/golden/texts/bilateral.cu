// bilateral(places: 9.f32, steepness: f32, image: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) bilateral(
    const float* __restrict__ places,
    const float* __restrict__ image,
    float* __restrict__ output,
    const float steepness,
    const int M,
    const int N
) {
  __shared__ __align__(16) float stored[612];
  const float steepness_1 = steepness;
  for (int i_x = blockIdx.y; i_x < (M + 15) / 16; i_x += gridDim.y) {
    const int i_x_1 = blockIdx.x;
    __syncthreads();
    for (int i_block = 0; i_block < 5; i_block++) {
      const int i_block_1 = threadIdx.y;
      const int i_x_2 = threadIdx.x;
      if (i_block * 128 + i_block_1 * 32 + i_x_2 < 612) {
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = image[min_i32(M - 1, max_i32(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34, 1) - 1) * N + min_i32(N - 1, max_i32(i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34, 1) - 1)];
      }
    }
    const int i_block_2 = threadIdx.y;
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_x_4 = threadIdx.x;
      const float centre = stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 35];
      float weights[9];
      #pragma unroll
      for (int i_p = 0; i_p < 9; i_p++) {
        const float d = steepness_1 * (stored[i_block_2 * 136 + i_x_3 * 34 + i_p / 3 * 31 + i_x_4 + i_p] - centre);
        const float x = (fabsf(places[i_p]) + 0.5f) * expf(-(d * d));
        weights[i_p] = x;
      }
      float acc;
      acc = 0.0f;
      #pragma unroll
      for (int i_x_5 = 0; i_x_5 < 9; i_x_5++) {
        acc = acc + weights[i_x_5] * stored[i_block_2 * 136 + i_x_3 * 34 + i_x_5 / 3 * 31 + i_x_4 + i_x_5];
      }
      float x_1;
      x_1 = 0.0f;
      #pragma unroll
      for (int i_x_6 = 0; i_x_6 < 9; i_x_6++) {
        x_1 = x_1 + weights[i_x_6];
      }
      stored_1[i_x_3] = acc / x_1;
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
