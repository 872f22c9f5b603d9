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
  const int m_block = blockIdx.x;
  unsigned state;
  int state_1;
  state = seeds[m_block];
  state_1 = 0;
  for (int n = 0; n < N; n++) {
    const int step = steps[n];
    const unsigned x = 1664525U * state + 1013904223U;
    state = x;
    state_1 = x / 2147483648U == 1U ? add_i32(state_1, step) : sub_i32(state_1, step);
    if (threadIdx.x < 1) {
      stored[m_block * N + n] = state;
      stored_1[m_block * N + n] = state_1;
    }
  }
  __syncthreads();
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[m_block * N + n_thread] = stored_1[m_block * N + n_thread];
  }
}
