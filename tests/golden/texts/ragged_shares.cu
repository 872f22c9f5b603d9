// ragged_shares(rows: N..(i |-> len(i).f32)) -> N..(i |-> len(i).f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) ragged_shares(
    const float* __restrict__ rows,
    const long long* __restrict__ len_starts,
    float* __restrict__ output,
    const int N
) {
  for (int i_row = blockIdx.x * 256 + threadIdx.x; i_row < N; i_row += gridDim.x * 256) {
    const int at = (int)len_starts[i_row + 1];
    const int at_1 = (int)len_starts[i_row];
    float acc;
    acc = 1.0f;
    for (int i_x = 0; i_x < at - at_1; i_x++) {
      acc = acc + fabsf(rows[at_1 + i_x]);
    }
    const float total = acc;
    for (int i_x_1 = 0; i_x_1 < at - at_1; i_x_1++) {
      output[at_1 + i_x_1] = rows[at_1 + i_x_1] / total;
    }
  }
}
