// csr_mv(rows: N..(i |-> len(i).(idx[M], f32)), x: M.f32) -> N.f32 for all N, M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) csr_mv(
    const long long* __restrict__ rows_1,
    const float* __restrict__ rows_2,
    const float* __restrict__ x,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const int at = (int)len_starts[n + 1];
    const int at_1 = (int)len_starts[n];
    float acc;
    acc = 0.0f;
    for (int i = 0; i < at - at_1; i++) {
      const int at_2 = (int)rows_1[at_1 + i];
      acc = acc + rows_2[at_1 + i] * x[at_2];
    }
    output[n] = acc;
  }
}
