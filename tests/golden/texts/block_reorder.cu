// block_reorder(a: (4 * M).(8 * N).f32) -> M.N.4.8.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) block_reorder(
    const float* __restrict__ a,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.y * 8 + threadIdx.y; i_x < M; i_x += gridDim.y * 8) {
    for (int i_x_1 = blockIdx.x * 32 + threadIdx.x; i_x_1 < N; i_x_1 += gridDim.x * 32) {
      for (int i_x_2 = 0; i_x_2 < 4; i_x_2++) {
        for (int i_x_3 = 0; i_x_3 < 8; i_x_3++) {
          output[i_x * 32 * N + i_x_1 * 32 + i_x_2 * 8 + i_x_3] = a[(i_x * 32 + i_x_2 * 8) * N + i_x_1 * 8 + i_x_3];
        }
      }
    }
  }
}
