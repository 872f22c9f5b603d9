// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trsv(float* __restrict__ solved, const int N) {
  for (int thread = blockIdx.x * 256 + threadIdx.x; thread < N; thread += gridDim.x * 256) {
    solved[thread] = 0.0f;
  }
}

extern "C" __global__ void __launch_bounds__(1) trsv_1(
    const float* __restrict__ lower,
    const float* __restrict__ b,
    float* __restrict__ solved,
    const int N
) {
  for (int n_row = 0; n_row < N; n_row++) {
    float acc;
    acc = 0.0f;
    for (int n_column = 0; n_column < N; n_column++) {
      acc = acc + lower[n_row * N + n_column] * solved[n_column];
    }
    const float next = (b[n_row] - acc) / lower[n_row * N + n_row];
    solved[n_row] = next;
  }
}

extern "C" __global__ void __launch_bounds__(256) trsv_2(
    const float* __restrict__ solved,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    output[n] = solved[n];
  }
}
