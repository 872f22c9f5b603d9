// conv1d_layer(filters: 4.3.2.f32, bias: 4.f32, channels: 3.10.f32) -> 4.9.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(128) conv1d_layer(
    const float* __restrict__ filters,
    const float* __restrict__ bias,
    const float* __restrict__ channels,
    float* __restrict__ output
) {
  const int row = blockIdx.y * 4 + threadIdx.y;
  if (blockIdx.x * 32 + threadIdx.x < 9) {
    const int column = blockIdx.x * 32 + threadIdx.x;
    float acc;
    acc = 0.0f;
    for (int filters_column = 0; filters_column < 6; filters_column++) {
      acc = acc + filters[row * 6 + filters_column] * channels[column + filters_column / 2 * 8 + filters_column];
    }
    output[row * 9 + column] = acc + bias[row];
  }
}
