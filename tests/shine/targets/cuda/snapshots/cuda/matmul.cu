// mm(A: N.K.f32, B: K.M.f32) -> N.M.f32 for all N, K, M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) mm(
    const float* __restrict__ A,
    const float* __restrict__ B,
    float* __restrict__ output,
    const int K,
    const int M
) {
  __shared__ __align__(16) float A_tile[512];
  __shared__ __align__(16) float B_tile[512];
  const int n_block = blockIdx.y;
  const int m_block = blockIdx.x;
  float acc[16];
  #pragma unroll
  for (int m = 0; m < 16; m++) {
    acc[m] = 0.0f;
  }
  for (int k_step = 0; k_step < K / 8; k_step++) {
    #pragma unroll
    for (int ia_turn = 0; ia_turn < 2; ia_turn++) {
      const int ia_thread = ia_turn * 256 + threadIdx.x;
      A_tile[ia_thread] = A[(n_block * 64 + ia_thread / 8) * K + ia_thread % 8 + k_step * 8];
    }
    #pragma unroll
    for (int m_turn = 0; m_turn < 2; m_turn++) {
      const int m_thread = m_turn * 256 + threadIdx.x;
      B_tile[m_thread] = B[(m_thread / 64 + k_step * 8) * M + m_block * 64 + m_thread % 64];
    }
    __syncthreads();
    const int t_thread = threadIdx.x;
    float A_registers[4];
    float B_registers[4];
    for (int p = 0; p < 8; p++) {
      #pragma unroll
      for (int n = 0; n < 4; n++) {
        A_registers[n] = A_tile[t_thread / 16 * 32 + n * 8 + p];
      }
      #pragma unroll
      for (int m = 0; m < 4; m++) {
        B_registers[m] = B_tile[t_thread % 16 * 4 + p * 64 + m];
      }
      #pragma unroll
      for (int n = 0; n < 4; n++) {
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          acc[n * 4 + m] = fmaf(A_registers[n], B_registers[m], acc[n * 4 + m]);
        }
      }
    }
    __syncthreads();
  }
  const int t1_thread = threadIdx.x;
  #pragma unroll
  for (int n = 0; n < 4; n++) {
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      output[(n_block * 64 + t1_thread / 16 * 4 + n) * M + m_block * 64 + t1_thread % 16 * 4 + m] = acc[n * 4 + m];
    }
  }
}
