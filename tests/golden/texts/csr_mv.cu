// csr_mv(rows: N..(i |-> len(i).(idx[M], f32)), x: M.f32) -> N.f32 for all N, M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) csr_mv(
    const long long* __restrict__ rows_1st,
    const float* __restrict__ rows_2nd,
    const float* __restrict__ x,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const int right_len_starts_entry = (int)len_starts[n + 1];
    const int left_len_starts_entry = (int)len_starts[n];
    float acc;
    acc = 0.0f;
    for (int i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      const int rows_1st_entry = (int)rows_1st[left_len_starts_entry + i];
      acc = acc + rows_2nd[left_len_starts_entry + i] * x[rows_1st_entry];
    }
    output[n] = acc;
  }
}
