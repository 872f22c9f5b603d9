// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose3(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int L,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    for (int i_x_1 = 0; i_x_1 < L; i_x_1++) {
      for (int i_x_2 = 0; i_x_2 < M; i_x_2++) {
        output[(i_x * L + i_x_1) * M + i_x_2] = xs[(i_x_1 * M + i_x_2) * N + i_x];
      }
    }
  }
}
