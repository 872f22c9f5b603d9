// relu(xs: N.f32) -> N.(f32, bool) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) relu(
    const float* __restrict__ xs,
    float* __restrict__ output_1,
    bool* __restrict__ output_2,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    const float x = xs[i_x];
    const bool choice = x > 0.0f;
    output_1[i_x] = choice ? x : 0.0f;
    output_2[i_x] = choice ? true : false;
  }
}
