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
  for (int m = blockIdx.y * 8 + threadIdx.y; m < M; m += gridDim.y * 8) {
    for (int n = blockIdx.x * 32 + threadIdx.x; n < N; n += gridDim.x * 32) {
      output[m * N + n] = alpha * x[m] * y[n] + a[m * N + n];
    }
  }
}
