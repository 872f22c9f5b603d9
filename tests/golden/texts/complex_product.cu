// complex_product(xs: N.(f32, f32), ys: N.(f32, f32)) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) complex_product(
    const float* __restrict__ xs_1st,
    const float* __restrict__ xs_2nd,
    const float* __restrict__ ys_1st,
    const float* __restrict__ ys_2nd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output_1st[n] = xs_1st[n] * ys_1st[n] - xs_2nd[n] * ys_2nd[n];
    output_2nd[n] = xs_1st[n] * ys_2nd[n] + xs_2nd[n] * ys_1st[n];
  }
}
