// conv2d_layer(filters: 2.3.3.3.f32, bias: 2.f32, image: 3.7.6.f32) -> 2.5.4.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(64) conv2d_layer(
    const float* __restrict__ filters,
    const float* __restrict__ bias,
    const float* __restrict__ image,
    float* __restrict__ output
) {
  const int i_p = blockIdx.y * 2 + threadIdx.y;
  if (blockIdx.x * 32 + threadIdx.x < 5) {
    const int i_x = blockIdx.x * 32 + threadIdx.x;
    for (int i_window = 0; i_window < 4; i_window++) {
      float acc;
      acc = 0.0f;
      for (int i_x_1 = 0; i_x_1 < 27; i_x_1++) {
        acc = acc + filters[i_p * 27 + i_x_1] * image[i_x_1 / 9 * 24 + i_x * 6 + i_x_1 / 3 * 3 + i_window + i_x_1];
      }
      output[i_p * 20 + i_x * 4 + i_window] = acc + bias[i_p];
    }
  }
}
