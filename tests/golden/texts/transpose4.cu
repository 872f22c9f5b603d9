// transpose4(xs: K.L.M.N.f32) -> N.M.L.K.f32 for all K, L, M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose4(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int K,
    const int L,
    const int M,
    const int N
) {
  for (int k = blockIdx.z * 2 + threadIdx.z; k < K; k += gridDim.z * 2) {
    for (int l = blockIdx.y * 4 + threadIdx.y; l < L; l += gridDim.y * 4) {
      for (int m = blockIdx.x * 32 + threadIdx.x; m < M; m += gridDim.x * 32) {
        for (int n = 0; n < N; n++) {
          output[((n * M + m) * L + l) * K + k] = xs[((k * L + l) * M + m) * N + n];
        }
      }
    }
  }
}
