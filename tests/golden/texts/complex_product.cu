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
  for (int i_p = blockIdx.x * 256 + threadIdx.x; i_p < N; i_p += gridDim.x * 256) {
    output_1[i_p] = xs_1[i_p] * ys_1[i_p] - xs_2[i_p] * ys_2[i_p];
    output_2[i_p] = xs_1[i_p] * ys_2[i_p] + xs_2[i_p] * ys_1[i_p];
  }
}
