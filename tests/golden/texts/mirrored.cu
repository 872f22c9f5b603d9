// mirrored(xs: (N + 2).f32) -> (N + 2).f32 for all N
// for sm_80

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) mirrored(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  __shared__ __align__(16) float stored[514];
  const int i_x = blockIdx.x;
  for (int i_block = 0; i_block < 5; i_block++) {
    const int i_x_1 = threadIdx.x;
    if (i_block * 128 + i_x_1 < 514) {
      stored[i_block * 128 + i_x_1] = min_i32(N + 3, i_x * 512 + i_block * 128 + i_x_1) < N + 3 ? (min_i32(N + 3, i_x * 512 + i_block * 128 + i_x_1) < 1 ? xs[min_i32(N + 3, i_x * 512 + i_block * 128 + i_x_1) + 1] : xs[min_i32(N + 3, i_x * 512 + i_block * 128 + i_x_1) - 1]) : xs[min_i32(N + 3, i_x * 512 + i_block * 128 + i_x_1) - 3];
    }
  }
  __syncthreads();
  #pragma unroll
  for (int i_block_1 = 0; i_block_1 < 4; i_block_1++) {
    const int i_window = threadIdx.x;
    if (i_x * 512 + i_block_1 * 128 + i_window < N + 2) {
      float x;
      x = 0.0f;
      for (int i_x_2 = 0; i_x_2 < 3; i_x_2++) {
        x = x + stored[i_block_1 * 128 + i_window + i_x_2];
      }
      output[i_x * 512 + i_block_1 * 128 + i_window] = x / 3.0f;
    }
  }
}
