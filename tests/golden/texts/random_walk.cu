// random_walk(steps: N.i32, seeds: M.u32) -> M.N.i32 for all N, M
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int sub_i32(int a, int b) { return (int)((unsigned)a - (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) random_walk(
    const int* __restrict__ steps,
    const unsigned* __restrict__ seeds,
    unsigned* __restrict__ state_by_block_1st,
    int* __restrict__ state_by_block_2nd,
    int* __restrict__ output,
    const int N
) {
  const int m_block = blockIdx.x;
  unsigned state_of_block_1st;
  int state_of_block_2nd;
  state_of_block_1st = seeds[m_block];
  state_of_block_2nd = 0;
  for (int n = 0; n < N; n++) {
    const int step = steps[n];
    const unsigned sum = 1664525U * state_of_block_1st + 1013904223U;
    state_of_block_1st = sum;
    state_of_block_2nd = sum / 2147483648U == 1U ? add_i32(state_of_block_2nd, step) : sub_i32(state_of_block_2nd, step);
    if (threadIdx.x < 1) {
      state_by_block_1st[m_block * N + n] = state_of_block_1st;
      state_by_block_2nd[m_block * N + n] = state_of_block_2nd;
    }
  }
  __syncthreads();
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[m_block * N + n_thread] = state_by_block_2nd[m_block * N + n_thread];
  }
}
