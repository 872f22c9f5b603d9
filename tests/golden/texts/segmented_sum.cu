// segmented_sum(rows: M.N.(bool, f32)) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) segmented_sum(
    const unsigned char* __restrict__ rows_1st,
    const float* __restrict__ rows_2nd,
    bool* __restrict__ a_by_block_1st,
    float* __restrict__ a_by_block_2nd,
    float* __restrict__ output,
    const int N
) {
  const int m_block = blockIdx.x;
  bool a_of_block_1st;
  float a_of_block_2nd;
  a_of_block_1st = false;
  a_of_block_2nd = 0.0f;
  for (int n = 0; n < N; n++) {
    const int at_m_n = m_block * N + n;
    a_of_block_1st = a_of_block_1st || rows_1st[at_m_n] != 0;
    a_of_block_2nd = rows_1st[at_m_n] != 0 ? rows_2nd[at_m_n] : a_of_block_2nd + rows_2nd[at_m_n];
    if (threadIdx.x < 1) {
      a_by_block_1st[at_m_n] = a_of_block_1st;
      a_by_block_2nd[at_m_n] = a_of_block_2nd;
    }
  }
  __syncthreads();
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[m_block * N + n_thread] = a_by_block_2nd[m_block * N + n_thread];
  }
}
