// acoustic(before: M.N.f32, now: M.N.f32, speed: M.N.f32) -> M.N.f32 for all M, N where ceil(M, 16) >= 1, ceil(N, 32) >= 1
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) acoustic(
    const float* __restrict__ before,
    const float* __restrict__ now,
    const float* __restrict__ speed,
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
        stored[i_block * 128 + i_block_1 * 32 + i_x_2] = 0 < i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 && i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 < M + 1 ? (0 < min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) && min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) < N + 1 ? now[(i_x * 16 + i_block * 3 + (i_block_1 * 32 + i_block * 26 + i_x_2) / 34 - 1) * N + min_i32(N + 1, i_x_1 * 32 + (i_block_1 * 32 + i_block * 26 + i_x_2) % 34) - 1] : 0.0f) : 0.0f;
      }
    }
    const int i_block_2 = threadIdx.y;
    float stored_1[4];
    __syncthreads();
    #pragma unroll
    for (int i_x_3 = 0; i_x_3 < 4; i_x_3++) {
      const int i_x_4 = threadIdx.x;
      const float x = stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 1] + stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 34] + stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 36] + stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 69] - 4.0f * stored[i_block_2 * 136 + i_x_3 * 34 + i_x_4 + 35];
      stored_1[i_x_3] = 2.0f * now[min_i32(M - 1, i_x * 16 + i_block_2 * 4 + i_x_3) * N + min_i32(N - 1, i_x_1 * 32 + i_x_4)] - before[min_i32(M - 1, i_x * 16 + i_block_2 * 4 + i_x_3) * N + min_i32(N - 1, i_x_1 * 32 + i_x_4)] + speed[min_i32(M - 1, i_x * 16 + i_block_2 * 4 + i_x_3) * N + min_i32(N - 1, i_x_1 * 32 + i_x_4)] * x;
    }
    #pragma unroll
    for (int i_x_5 = 0; i_x_5 < 4; i_x_5++) {
      const int i_x_6 = threadIdx.x;
      if (i_x_1 * 32 + i_x_6 < N) {
        if (i_x * 16 + i_block_2 * 4 + i_x_5 < M) {
          output[(i_x * 16 + i_block_2 * 4 + i_x_5) * N + i_x_1 * 32 + i_x_6] = stored_1[i_x_5];
        }
      }
    }
  }
}
