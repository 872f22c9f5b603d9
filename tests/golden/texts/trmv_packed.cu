// trmv_packed(a: ((N^2 + N) /^ 2).f32, x: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trmv_packed(
    const float* __restrict__ a,
    const float* __restrict__ x,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    float acc;
    acc = 0.0f;
    for (int n_1 = 0; n_1 < n + 1; n_1++) {
      acc = acc + a[(n * n + n) / 2 + n_1] * x[n_1];
    }
    output[n] = acc;
  }
}
