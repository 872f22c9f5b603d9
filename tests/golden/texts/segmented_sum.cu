// segmented_sum(rows: M.N.(bool, f32)) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) segmented_sum(
    const unsigned char* __restrict__ rows_1,
    const float* __restrict__ rows_2,
    bool* __restrict__ stored,
    float* __restrict__ stored_1,
    float* __restrict__ output,
    const int N
) {
  const int m_block = blockIdx.x;
  bool a;
  float a_1;
  a = false;
  a_1 = 0.0f;
  for (int n = 0; n < N; n++) {
    a = a || rows_1[m_block * N + n] != 0;
    a_1 = rows_1[m_block * N + n] != 0 ? rows_2[m_block * N + n] : a_1 + rows_2[m_block * N + n];
    if (threadIdx.x < 1) {
      stored[m_block * N + n] = a;
      stored_1[m_block * N + n] = a_1;
    }
  }
  __syncthreads();
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[m_block * N + n_thread] = stored_1[m_block * N + n_thread];
  }
}
