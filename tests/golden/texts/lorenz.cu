// lorenz(points: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) lorenz(
    const float* __restrict__ points_1,
    const float* __restrict__ points_2,
    const float* __restrict__ points_3,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    float p;
    float p_1;
    float p_2;
    p = points_1[n];
    p_1 = points_2[n];
    p_2 = points_3[n];
    for (int i_i = 0; i_i < 10; i_i++) {
      const float x = p + 0.01f * (10.0f * (p_1 - p));
      const float x_1 = 0.01f * (p * (28.0f - p_2) - p_1);
      const float x_2 = p_2 + 0.01f * (p * p_1 - 2.5f * p_2);
      p = x;
      p_1 = p_1 + x_1;
      p_2 = x_2;
    }
    output_1[n] = p;
    output_2[n] = p_1;
    output_3[n] = p_2;
  }
}
