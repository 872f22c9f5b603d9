// adam(rate: f32, gradients: N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) adam(
    const float* __restrict__ gradients,
    const float* __restrict__ state_1,
    const float* __restrict__ state_2,
    const float* __restrict__ state_3,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const float rate,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float m = 0.9f * state_2[n] + 0.1f * gradients[n];
    const float s = 0.999f * fabsf(state_3[n]) + 0.001f * gradients[n] * gradients[n];
    const float x = state_1[n] - rate * m / (sqrtf(s) + 1e-08f);
    output_1[n] = x;
    output_2[n] = m;
    output_3[n] = s;
  }
}
