// downsample(image: (2 * M).(2 * N).f32) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) downsample(
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      float sum;
      sum = 0.0f;
      for (int i = 0; i < 4; i++) {
        sum = sum + image[(m * 4 + i / 2 * 2) * N + n * 2 + i % 2];
      }
      output[m * N + n] = 0.25f * sum;
    }
  }
}
