// matrix_chain(a: 4.4.f32, b: 4.8.f32, c: 8.8.f32) -> 4.8.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(8) matrix_chain(
    const float* __restrict__ a,
    const float* __restrict__ b,
    const float* __restrict__ c,
    float* __restrict__ row,
    float* __restrict__ output
) {
  const int i_x = blockIdx.x;
  const int i_column = threadIdx.x;
  float acc;
  acc = 0.0f;
  for (int i_x_1 = 0; i_x_1 < 4; i_x_1++) {
    acc = acc + a[i_x * 4 + i_x_1] * b[i_x_1 * 8 + i_column];
  }
  row[i_x * 8 + i_column] = acc;
  const int i_column_1 = threadIdx.x;
  float acc_1;
  acc_1 = 0.0f;
  __syncwarp();
  for (int i_x_2 = 0; i_x_2 < 8; i_x_2++) {
    acc_1 = acc_1 + row[i_x * 8 + i_x_2] * c[i_x_2 * 8 + i_column_1];
  }
  output[i_x * 8 + i_column_1] = acc_1;
}
