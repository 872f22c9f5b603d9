// conv2d(weights: 2.3.f32, image: 18.7.f32) -> 17.5.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) conv2d(
    const float* __restrict__ weights,
    const float* __restrict__ image,
    float* __restrict__ output
) {
  if (blockIdx.y * 8 + threadIdx.y < 17) {
    const int i_x = blockIdx.y * 8 + threadIdx.y;
    if (blockIdx.x * 32 + threadIdx.x < 5) {
      const int i_window = blockIdx.x * 32 + threadIdx.x;
      float acc;
      acc = 0.0f;
      for (int i_x_1 = 0; i_x_1 < 6; i_x_1++) {
        acc = acc + weights[i_x_1] * image[i_x * 7 + i_x_1 / 3 * 4 + i_window + i_x_1];
      }
      output[i_x * 5 + i_window] = acc;
    }
  }
}
