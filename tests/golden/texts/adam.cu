// adam(rate: f32, gradients: N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) adam(
    const float* __restrict__ gradients,
    const float* __restrict__ state_1st,
    const float* __restrict__ state_2nd,
    const float* __restrict__ state_3rd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    float* __restrict__ output_3rd,
    const float rate,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float m = 0.9f * state_2nd[n] + 0.1f * gradients[n];
    const float s = 0.999f * fabsf(state_3rd[n]) + 0.001f * gradients[n] * gradients[n];
    output_1st[n] = state_1st[n] - rate * m / (sqrtf(s) + 1e-08f);
    output_2nd[n] = m;
    output_3rd[n] = s;
  }
}
