// lstm_cell(gates: N.((f32, f32), (f32, f32)), cells: N.f32) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) lstm_cell(
    const float* __restrict__ gates_1,
    const float* __restrict__ gates_2,
    const float* __restrict__ gates_3,
    const float* __restrict__ gates_4,
    const float* __restrict__ cells,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float x = 1.0f / (1.0f + expf(-gates_2[n]));
    const float x_1 = 1.0f / (1.0f + expf(-gates_1[n]));
    const float new_ = x * cells[n] + x_1 * tanhf(gates_3[n]);
    const float x_2 = 1.0f / (1.0f + expf(-gates_4[n]));
    output_1[n] = x_2 * tanhf(new_);
    output_2[n] = new_;
  }
}
