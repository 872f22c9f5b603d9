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
  __shared__ __align__(16) float step_by_thread[514];
  if (threadIdx.x < 1) {
    for (int n = 0; n < N; n++) {
      step[n] = rod[n];
    }
  }
  for (int i_step = 0; i_step < 20; i_step++) {
    const float share = 0.25f * speed;
    for (int i = 0; i < (N + 511) / 512; i++) {
      __syncthreads();
      for (int j = 0; j < 5; j++) {
        const int n_thread = threadIdx.x;
        if (j * 128 + n_thread < 514) {
          step_by_thread[j * 128 + n_thread] = step[min_i32(N - 1, max_i32(i * 512 + j * 128 + n_thread, 1) - 1)];
        }
      }
      __syncthreads();
      if (threadIdx.x < 1) {
        #pragma unroll
        for (int j = 0; j < 4; j++) {
          for (int n = 0; n < min_i32(max_i32(0, N - i * 512 - j * 128), 128); n++) {
            next[i * 512 + j * 128 + n] = (1.0f - 2.0f * share) * step_by_thread[j * 128 + n + 1] + share * (step_by_thread[j * 128 + n] + step_by_thread[j * 128 + n + 2]);
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
