// ragged_shares(rows: N..(i |-> len(i).f32)) -> N..(i |-> len(i).f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) ragged_shares(
    const float* __restrict__ rows,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int i_len_rows = blockIdx.x * 256 + threadIdx.x; i_len_rows < N; i_len_rows += gridDim.x * 256) {
    const int right_len_starts_entry = (int)len_starts[i_len_rows + 1];
    const int left_len_starts_entry = (int)len_starts[i_len_rows];
    float total;
    total = 1.0f;
    for (int i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      total = total + fabsf(rows[left_len_starts_entry + i]);
    }
    for (int i = 0; i < right_len_starts_entry - left_len_starts_entry; i++) {
      output[left_len_starts_entry + i] = rows[left_len_starts_entry + i] / total;
    }
  }
}
