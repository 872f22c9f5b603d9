// fft_stage(twiddles: H.(f32, f32), blocks: B.2.H.(f32, f32)) -> B.2.H.(f32, f32) for all H, B
// for sm_80
extern "C" __global__ void __launch_bounds__(256) fft_stage(
    const float* __restrict__ twiddles_1,
    const float* __restrict__ twiddles_2,
    const float* __restrict__ blocks_1,
    const float* __restrict__ blocks_2,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const int H,
    const int B
) {
  for (int b = blockIdx.y * 8 + threadIdx.y; b < B; b += gridDim.y * 8) {
    for (int h = blockIdx.x * 32 + threadIdx.x; h < H; h += gridDim.x * 32) {
      const float turned = twiddles_1[h] * blocks_1[(b * 2 + 1) * H + h] - twiddles_2[h] * blocks_2[(b * 2 + 1) * H + h];
      const float turned_1 = twiddles_1[h] * blocks_2[(b * 2 + 1) * H + h] + twiddles_2[h] * blocks_1[(b * 2 + 1) * H + h];
      output_1[b * 2 * H + h] = blocks_1[b * 2 * H + h] + turned;
      output_2[b * 2 * H + h] = blocks_2[b * 2 * H + h] + turned_1;
      output_1[(b * 2 + 1) * H + h] = blocks_1[b * 2 * H + h] - turned;
      output_2[(b * 2 + 1) * H + h] = blocks_2[b * 2 * H + h] - turned_1;
    }
  }
}
