// heat_steps(speed: f32, rod: N.f32) -> N.f32 for all N where ceil(n, 512) >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(128) heat_steps(
    const float* __restrict__ rod,
    float* __restrict__ step,
    float* __restrict__ next,
    float* __restrict__ output,
    const float speed,
    const int N
) {
  __shared__ __align__(16) float stored_1[514];
  const float speed_1 = speed;
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    for (int i_copy = 0; i_copy < N; i_copy++) {
      step[i_copy] = rod[i_copy];
    }
  }
  for (int i_step = 0; i_step < 20; i_step++) {
    const float share_1 = 0.25f * speed_1;
    for (int i_x_2 = 0; i_x_2 < (N + 511) / 512; i_x_2++) {
      __syncthreads();
      for (int i_block_2 = 0; i_block_2 < 5; i_block_2++) {
        const int i_x_3 = threadIdx.x;
        if (i_block_2 * 128 + i_x_3 < 514) {
          stored_1[i_block_2 * 128 + i_x_3] = step[min_i32(N - 1, max_i32(i_x_2 * 512 + i_block_2 * 128 + i_x_3, 1) - 1)];
        }
      }
      __syncthreads();
      if (threadIdx.x < 1) {
        const int once_1 = threadIdx.x;
        #pragma unroll
        for (int i_block_3 = 0; i_block_3 < 4; i_block_3++) {
          for (int i_w_1 = 0; i_w_1 < min_i32(max_i32(0, N - i_x_2 * 512 - i_block_3 * 128), 128); i_w_1++) {
            const float x_1 = (1.0f - 2.0f * share_1) * stored_1[i_block_3 * 128 + i_w_1 + 1] + share_1 * (stored_1[i_block_3 * 128 + i_w_1] + stored_1[i_block_3 * 128 + i_w_1 + 2]);
            next[i_x_2 * 512 + i_block_3 * 128 + i_w_1] = x_1;
          }
        }
      }
    }
    __syncthreads();
    if (threadIdx.x < 1) {
      const int once_2 = threadIdx.x;
      for (int i_copy_1 = 0; i_copy_1 < N; i_copy_1++) {
        step[i_copy_1] = next[i_copy_1];
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < 1) {
    const int once_3 = threadIdx.x;
    for (int i_copy_2 = 0; i_copy_2 < N; i_copy_2++) {
      output[i_copy_2] = step[i_copy_2];
    }
  }
}
