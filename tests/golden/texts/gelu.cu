// gelu(xs: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) gelu(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float x = xs[n];
    const float x_1 = x + 0.044715f * x * x * x;
    const float x_2 = 0.5f * x * (1.0f + tanhf(0.7978846f * x_1));
    output[n] = x_2;
  }
}
