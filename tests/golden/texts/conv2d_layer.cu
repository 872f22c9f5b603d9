// conv2d_layer(filters: 2.3.3.3.f32, bias: 2.f32, image: 3.7.6.f32) -> 2.5.4.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conv2d_layer(
    const float* __restrict__ filters,
    const float* __restrict__ bias,
    const float* __restrict__ image,
    float* __restrict__ output
) {
  const int plane = blockIdx.z * 2 + threadIdx.z;
  if (blockIdx.y * 4 + threadIdx.y < 5) {
    const int row = blockIdx.y * 4 + threadIdx.y;
    if (blockIdx.x * 32 + threadIdx.x < 4) {
      const int column = blockIdx.x * 32 + threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int filters_l = 0; filters_l < 27; filters_l++) {
        acc = acc + filters[plane * 27 + filters_l] * image[row * 6 + column + filters_l / 9 * 24 + filters_l / 3 * 3 + filters_l];
      }
      output[(plane * 5 + row) * 4 + column] = acc + bias[plane];
    }
  }
}
