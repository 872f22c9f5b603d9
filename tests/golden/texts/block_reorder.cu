// block_reorder(a: (4 * M).(8 * N).f32) -> M.N.4.8.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) block_reorder(
    const float* __restrict__ a,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < 4 * M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < 8 * N; n += gridDim.x * 32) {
      output[m / 4 * 32 * N + n / 8 * 24 + m % 4 * 8 + n] = a[m * 8 * N + n];
    }
  }
}
