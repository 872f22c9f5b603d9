// matrix_chain(a: 4.4.f32, b: 4.8.f32, c: 8.8.f32) -> 4.8.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(8) matrix_chain(
    const float* __restrict__ a,
    const float* __restrict__ b,
    const float* __restrict__ c,
    float* __restrict__ row,
    float* __restrict__ output
) {
  const int row_block = blockIdx.x;
  const int b_column_thread = threadIdx.x;
  float acc;
  acc = 0.0f;
  for (int a_column = 0; a_column < 4; a_column++) {
    acc = acc + a[row_block * 4 + a_column] * b[a_column * 8 + b_column_thread];
  }
  row[row_block * 8 + b_column_thread] = acc;
  const int column_thread = threadIdx.x;
  float acc_1;
  acc_1 = 0.0f;
  __syncwarp();
  for (int b_column = 0; b_column < 8; b_column++) {
    acc_1 = acc_1 + row[row_block * 8 + b_column] * c[b_column * 8 + column_thread];
  }
  output[row_block * 8 + column_thread] = acc_1;
}
