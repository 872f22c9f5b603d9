// outer_product(xs: M.f32, ys: N.f32) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) outer_product(
    const float* __restrict__ xs,
    const float* __restrict__ ys,
    float* __restrict__ output,
    const int M,
    const int N
) {
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    const float this_xs = xs[m];
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      output[m * N + n] = this_xs * ys[n];
    }
  }
}
