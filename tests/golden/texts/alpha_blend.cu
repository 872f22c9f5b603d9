// alpha_blend(pictures: M.N.(u8, (u8, u8))) -> M.N.u8 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) alpha_blend(
    const unsigned char* __restrict__ pictures_1,
    const unsigned char* __restrict__ pictures_2,
    const unsigned char* __restrict__ pictures_3,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < M; i_x += gridDim.x * 256) {
    for (int i_p = 0; i_p < N; i_p++) {
      const unsigned x = (unsigned)pictures_1[i_x * N + i_p] * (unsigned)pictures_2[i_x * N + i_p] + (255U - (unsigned)pictures_1[i_x * N + i_p]) * (unsigned)pictures_3[i_x * N + i_p];
      output[i_x * N + i_p] = (unsigned char)((x + 127U) / 255U);
    }
  }
}
