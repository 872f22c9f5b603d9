// grey(picture: M.N.3.u8) -> M.N.u8 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) grey(
    const unsigned char* __restrict__ picture,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      const unsigned sum = 77U * (unsigned)picture[m * 3 * N + n * 3] + 150U * (unsigned)picture[m * 3 * N + n * 3 + 1] + 29U * (unsigned)picture[m * 3 * N + n * 3 + 2];
      output[m * N + n] = (unsigned char)(sum / 256U);
    }
  }
}
