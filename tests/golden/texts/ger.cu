// ger(alpha: f32, x: M.f32, y: N.f32, a: M.N.f32) -> M.N.f32 for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) ger(
    const float* __restrict__ x,
    const float* __restrict__ y,
    const float* __restrict__ a,
    float* __restrict__ output,
    const float alpha,
    const int M,
    const int N
) {
  const float alpha_1 = alpha;
  for (int i_p = blockIdx.y * 8 + threadIdx.y; i_p < M; i_p += gridDim.y * 8) {
    for (int i_p_1 = blockIdx.x * 32 + threadIdx.x; i_p_1 < N; i_p_1 += gridDim.x * 32) {
      output[i_p * N + i_p_1] = alpha_1 * x[i_p] * y[i_p_1] + a[i_p * N + i_p_1];
    }
  }
}
