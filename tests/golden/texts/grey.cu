// grey(picture: M.N.3.u8) -> M.N.u8 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) grey(
    const unsigned char* __restrict__ picture,
    unsigned char* __restrict__ output,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < M; i_x += gridDim.x * 256) {
    for (int i_colours = 0; i_colours < N; i_colours++) {
      unsigned c[3];
      #pragma unroll
      for (int i_x_1 = 0; i_x_1 < 3; i_x_1++) {
        c[i_x_1] = (unsigned)picture[i_x * 3 * N + i_colours * 3 + i_x_1];
      }
      const unsigned x = (77U * c[0] + 150U * c[1] + 29U * c[2]) / 256U;
      output[i_x * N + i_colours] = (unsigned char)x;
    }
  }
}
