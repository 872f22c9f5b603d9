// complex_product(xs: N.(f32, f32), ys: N.(f32, f32)) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) complex_product(
    const float* __restrict__ xs_1,
    const float* __restrict__ xs_2,
    const float* __restrict__ ys_1,
    const float* __restrict__ ys_2,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output_1[n] = xs_1[n] * ys_1[n] - xs_2[n] * ys_2[n];
    output_2[n] = xs_1[n] * ys_2[n] + xs_2[n] * ys_1[n];
  }
}
