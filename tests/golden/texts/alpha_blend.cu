// alpha_blend(pictures: M.N.(u8, (u8, u8))) -> M.N.u8 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) alpha_blend(
    const unsigned char* __restrict__ pictures_1st,
    const unsigned char* __restrict__ pictures_2nd,
    const unsigned char* __restrict__ pictures_3rd,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      const int at_m_n = m * N + n;
      const unsigned sum = (unsigned)pictures_1st[at_m_n] * (unsigned)pictures_2nd[at_m_n] + (255U - (unsigned)pictures_1st[at_m_n]) * (unsigned)pictures_3rd[at_m_n];
      output[at_m_n] = (unsigned char)((sum + 127U) / 255U);
    }
  }
}
