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
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    for (int n = 0; n < N; n++) {
      const unsigned x = (unsigned)pictures_1[m * N + n] * (unsigned)pictures_2[m * N + n] + (255U - (unsigned)pictures_1[m * N + n]) * (unsigned)pictures_3[m * N + n];
      output[m * N + n] = (unsigned char)((x + 127U) / 255U);
    }
  }
}
