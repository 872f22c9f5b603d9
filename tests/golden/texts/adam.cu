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
  const float rate_1 = rate;
  for (int i_p = blockIdx.x * 256 + threadIdx.x; i_p < N; i_p += gridDim.x * 256) {
    const float m = 0.9f * state_2[i_p] + 0.1f * gradients[i_p];
    const float s = 0.999f * fabsf(state_3[i_p]) + 0.001f * gradients[i_p] * gradients[i_p];
    const float x = state_1[i_p] - rate_1 * m / (sqrtf(s) + 1e-08f);
    output_1[i_p] = x;
    output_2[i_p] = m;
    output_3[i_p] = s;
  }
}
