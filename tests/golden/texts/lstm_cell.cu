// lstm_cell(gates: N.((f32, f32), (f32, f32)), cells: N.f32) -> N.(f32, f32) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) lstm_cell(
    const float* __restrict__ gates_1st,
    const float* __restrict__ gates_2nd,
    const float* __restrict__ gates_3rd,
    const float* __restrict__ gates_4th,
    const float* __restrict__ cells,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float quotient_from_gates_2nd = 1.0f / (1.0f + expf(-gates_2nd[n]));
    const float quotient_from_gates_1st = 1.0f / (1.0f + expf(-gates_1st[n]));
    const float new_ = quotient_from_gates_2nd * cells[n] + quotient_from_gates_1st * tanhf(gates_3rd[n]);
    output_1st[n] = 1.0f / (1.0f + expf(-gates_4th[n])) * tanhf(new_);
    output_2nd[n] = new_;
  }
}
