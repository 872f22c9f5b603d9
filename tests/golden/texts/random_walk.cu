// random_walk(steps: N.i32, seeds: M.u32) -> M.N.i32 for all N, M
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int sub_i32(int a, int b) { return (int)((unsigned)a - (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) random_walk(
    const int* __restrict__ steps,
    const unsigned* __restrict__ seeds,
    unsigned* __restrict__ stored,
    int* __restrict__ stored_1,
    int* __restrict__ output,
    const int N
) {
  const int i_seed = blockIdx.x;
  unsigned state;
  int state_1;
  state = seeds[i_seed];
  state_1 = 0;
  for (int i_step = 0; i_step < N; i_step++) {
    const int step = steps[i_step];
    const unsigned x = 1664525U * state + 1013904223U;
    state = x;
    state_1 = x / 2147483648U == 1U ? add_i32(state_1, step) : sub_i32(state_1, step);
    if (threadIdx.x < 1) {
      const int once = threadIdx.x;
      stored[i_seed * N + i_step] = state;
      stored_1[i_seed * N + i_step] = state_1;
    }
  }
  __syncthreads();
  for (int i_x = threadIdx.x; i_x < N; i_x += 256) {
    output[i_seed * N + i_x] = stored_1[i_seed * N + i_x];
  }
}
