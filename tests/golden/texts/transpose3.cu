// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose3(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int L,
    const int M,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    for (int l = 0; l < L; l++) {
      for (int m = 0; m < M; m++) {
        output[(n * L + l) * M + m] = xs[(l * M + m) * N + n];
      }
    }
  }
}
