// conv1d_layer(filters: 4.3.2.f32, bias: 4.f32, channels: 3.10.f32) -> 4.9.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(128) conv1d_layer(
    const float* __restrict__ filters,
    const float* __restrict__ bias,
    const float* __restrict__ channels,
    float* __restrict__ output
) {
  const int i_p = blockIdx.y * 4 + threadIdx.y;
  if (blockIdx.x * 32 + threadIdx.x < 9) {
    const int i_window = blockIdx.x * 32 + threadIdx.x;
    float acc;
    acc = 0.0f;
    for (int i_x = 0; i_x < 6; i_x++) {
      acc = acc + filters[i_p * 6 + i_x] * channels[i_x / 2 * 8 + i_window + i_x];
    }
    output[i_p * 9 + i_window] = acc + bias[i_p];
  }
}
