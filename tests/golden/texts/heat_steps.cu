// heat_steps(speed: f32, rod: N.f32) -> N.f32 for all N where n >= 1
// for sm_80

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) heat_steps(
    const float* __restrict__ rod,
    float* __restrict__ step,
    float* __restrict__ next,
    float* __restrict__ output,
    const float speed,
    const int N
) {
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    step[n_thread] = rod[n_thread];
  }
  for (int i_step = 0; i_step < 20; i_step++) {
    const float share = 0.25f * speed;
    __syncthreads();
    for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
      next[n_thread] = (1.0f - 2.0f * share) * step[n_thread] + share * (step[min_i32(N - 1, max_i32(n_thread, 1) - 1)] + step[min_i32(N - 1, n_thread + 1)]);
    }
    __syncthreads();
    for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
      step[n_thread] = next[n_thread];
    }
  }
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[n_thread] = step[n_thread];
  }
}
