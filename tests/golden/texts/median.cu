// median(xs: N.f32) -> N.f32 for all N where ceil(N, 512) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

__device__ __forceinline__ float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(128) median(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  __shared__ __align__(16) float stored[514];
  const int i_x = blockIdx.x;
  for (int i_block = 0; i_block < 5; i_block++) {
    const int i_x_1 = threadIdx.x;
    if (i_block * 128 + i_x_1 < 514) {
      stored[i_block * 128 + i_x_1] = xs[min_i32(N - 1, max_i32(i_x * 512 + i_block * 128 + i_x_1, 1) - 1)];
    }
  }
  __syncthreads();
  #pragma unroll
  for (int i_block_1 = 0; i_block_1 < 4; i_block_1++) {
    const int i_w = threadIdx.x;
    if (i_x * 512 + i_block_1 * 128 + i_w < N) {
      const float a = stored[i_block_1 * 128 + i_w];
      const float b = stored[i_block_1 * 128 + i_w + 1];
      output[i_x * 512 + i_block_1 * 128 + i_w] = max_f32(min_f32(a, b), min_f32(max_f32(a, b), stored[i_block_1 * 128 + i_w + 2]));
    }
  }
}
