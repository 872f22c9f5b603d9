// outer_product(xs: M.f32, ys: N.f32) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) outer_product(
    const float* __restrict__ xs,
    const float* __restrict__ ys,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.y * 8 + threadIdx.y; i_x < M; i_x += gridDim.y * 8) {
    const float x = xs[i_x];
    for (int i_y = blockIdx.x * 32 + threadIdx.x; i_y < N; i_y += gridDim.x * 32) {
      output[i_x * N + i_y] = x * ys[i_y];
    }
  }
}
