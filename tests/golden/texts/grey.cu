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
      unsigned picture_registers[3];
      #pragma unroll
      for (int picture_column = 0; picture_column < 3; picture_column++) {
        picture_registers[picture_column] = (unsigned)picture[m * 3 * N + n * 3 + picture_column];
      }
      const unsigned quotient = (77U * picture_registers[0] + 150U * picture_registers[1] + 29U * picture_registers[2]) / 256U;
      output[m * N + n] = (unsigned char)quotient;
    }
  }
}
