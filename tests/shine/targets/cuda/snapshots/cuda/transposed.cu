// transpose(x: n.m.f32) -> m.n.f32 for all n, m
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose(
    const float* __restrict__ x,
    float* __restrict__ output,
    const int n,
    const int m
) {
  __shared__ __align__(16) float x_tile[1056];
  const int i_n_block = blockIdx.y;
  const int i_m_block = blockIdx.x;
  #pragma unroll
  for (int i_n_turn_y = 0; i_n_turn_y < 4; i_n_turn_y++) {
    const int i_n_thread_y = i_n_turn_y * 8 + threadIdx.y;
    const int i_m_thread_x = threadIdx.x;
    x_tile[i_n_thread_y * 33 + i_m_thread_x] = x[(i_n_block * 32 + i_n_thread_y) * m + i_m_block * 32 + i_m_thread_x];
  }
  __syncthreads();
  #pragma unroll
  for (int i_m_turn_y = 0; i_m_turn_y < 4; i_m_turn_y++) {
    const int i_m_thread_y = i_m_turn_y * 8 + threadIdx.y;
    const int i_n_thread_x = threadIdx.x;
    output[(i_m_block * 32 + i_m_thread_y) * n + i_n_block * 32 + i_n_thread_x] = x_tile[i_n_thread_x * 33 + i_m_thread_y];
  }
  __syncthreads();
}
