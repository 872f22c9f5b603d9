// downsample(image: (2 * M).(2 * N).f32) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) downsample(
    const float* __restrict__ image,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.y * 8 + threadIdx.y; i_x < M; i_x += gridDim.y * 8) {
    for (int i_block = blockIdx.x * 32 + threadIdx.x; i_block < N; i_block += gridDim.x * 32) {
      float x;
      x = 0.0f;
      for (int i_x_1 = 0; i_x_1 < 4; i_x_1++) {
        x = x + image[(i_x * 4 + i_x_1 / 2 * 2) * N + i_block * 2 + i_x_1 % 2];
      }
      output[i_x * N + i_block] = 0.25f * x;
    }
  }
}
