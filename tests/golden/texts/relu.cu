// relu(xs: N.f32) -> N.(f32, bool) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) relu(
    const float* __restrict__ xs,
    float* __restrict__ output_1st,
    bool* __restrict__ output_2nd,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float this_xs = xs[n];
    const bool this_xs_is_positive = this_xs > 0.0f;
    output_1st[n] = this_xs_is_positive ? this_xs : 0.0f;
    output_2nd[n] = this_xs_is_positive ? true : false;
  }
}
