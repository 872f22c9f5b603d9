// block_reorder(a: (4 * M).(8 * N).f32) -> M.N.4.8.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) block_reorder(
    const float* __restrict__ a,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      for (int k = 0; k < 4; k++) {
        for (int l = 0; l < 8; l++) {
          output[m * 32 * N + n * 32 + k * 8 + l] = a[(m * 32 + k * 8) * N + n * 8 + l];
        }
      }
    }
  }
}
