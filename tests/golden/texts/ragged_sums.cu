// ragged_sums(rows: N..(i |-> len(i).f32)) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) ragged_sums(
    const float* __restrict__ rows,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int i_row = blockIdx.x * 256 + threadIdx.x; i_row < N; i_row += gridDim.x * 256) {
    const int at = (int)len_starts[i_row + 1];
    const int at_1 = (int)len_starts[i_row];
    float x;
    x = 0.0f;
    for (int i_x = 0; i_x < at - at_1; i_x++) {
      x = x + rows[at_1 + i_x];
    }
    output[i_row] = x;
  }
}
