// ragged_sums(rows: N..(i |-> len(i).f32)) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) ragged_sums(
    const float* __restrict__ rows,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const int right_len_starts_entry = (int)len_starts[n + 1];
    const int left_len_starts_entry = (int)len_starts[n];
    float sum;
    sum = 0.0f;
    for (int i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      sum = sum + rows[left_len_starts_entry + i];
    }
    output[n] = sum;
  }
}
