// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trsv(
    const float* __restrict__ lower,
    const float* __restrict__ b,
    float* __restrict__ solved,
    float* __restrict__ output,
    const int N
) {
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    solved[n_thread] = 0.0f;
  }
  for (int n_row = 0; n_row < N; n_row++) {
    float acc;
    acc = 0.0f;
    __syncthreads();
    for (int n = 0; n < N; n++) {
      acc = acc + lower[n_row * N + n] * solved[n];
    }
    const float next = (b[n_row] - acc) / lower[n_row * N + n_row];
    __syncthreads();
    for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
      solved[n_thread] = (long long)n_thread == (long long)n_row ? next : solved[n_thread];
    }
  }
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[n_thread] = solved[n_thread];
  }
}
