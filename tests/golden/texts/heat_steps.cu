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
  __shared__ __align__(16) float stored[514];
  if (threadIdx.x < 1) {
    for (int n = 0; n < N; n++) {
      step[n] = rod[n];
    }
  }
  for (int i_step = 0; i_step < 20; i_step++) {
    const float share = 0.25f * speed;
    for (int n_block = 0; n_block < (N + 511) / 512; n_block++) {
      __syncthreads();
      for (int n_tile = 0; n_tile < 5; n_tile++) {
        const int n_thread = threadIdx.x;
        if (n_tile * 128 + n_thread < 514) {
          stored[n_tile * 128 + n_thread] = step[min_i32(N - 1, max_i32(n_block * 512 + n_tile * 128 + n_thread, 1) - 1)];
        }
      }
      __syncthreads();
      if (threadIdx.x < 1) {
        #pragma unroll
        for (int n_strip = 0; n_strip < 4; n_strip++) {
          for (int n = 0; n < min_i32(max_i32(0, N - n_block * 512 - n_strip * 128), 128); n++) {
            const float x = (1.0f - 2.0f * share) * stored[n_strip * 128 + n + 1] + share * (stored[n_strip * 128 + n] + stored[n_strip * 128 + n + 2]);
            next[n_block * 512 + n_strip * 128 + n] = x;
          }
        }
      }
    }
    __syncthreads();
    if (threadIdx.x < 1) {
      for (int n = 0; n < N; n++) {
        step[n] = next[n];
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < 1) {
    for (int n = 0; n < N; n++) {
      output[n] = step[n];
    }
  }
}
