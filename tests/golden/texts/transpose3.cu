// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose3(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int L,
    const int M,
    const int N
) {
  for (int l = blockIdx.z * 2 + threadIdx.z; l < L; l += gridDim.z * 2) {
    for (int m = blockIdx.y * 4 + threadIdx.y; m < M; m += gridDim.y * 4) {
      for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
        output[(n * L + l) * M + m] = xs[(l * M + m) * N + n];
      }
    }
  }
}
