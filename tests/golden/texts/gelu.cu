// gelu(xs: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) gelu(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    const float x = xs[i_x];
    const float x_1 = x + 0.044715f * x * x * x;
    const float x_2 = 0.5f * x * (1.0f + tanhf(0.7978846f * x_1));
    output[i_x] = x_2;
  }
}
