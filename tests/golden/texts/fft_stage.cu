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
  for (int i_halves = blockIdx.y * 8 + threadIdx.y; i_halves < B; i_halves += gridDim.y * 8) {
    for (int i_p = blockIdx.x * 32 + threadIdx.x; i_p < H; i_p += gridDim.x * 32) {
      const float turned_1 = twiddles_1[i_p] * blocks_1[(i_halves * 2 + 1) * H + i_p] - twiddles_2[i_p] * blocks_2[(i_halves * 2 + 1) * H + i_p];
      const float turned_2 = twiddles_1[i_p] * blocks_2[(i_halves * 2 + 1) * H + i_p] + twiddles_2[i_p] * blocks_1[(i_halves * 2 + 1) * H + i_p];
      output_1[i_halves * 2 * H + i_p] = blocks_1[i_halves * 2 * H + i_p] + turned_1;
      output_2[i_halves * 2 * H + i_p] = blocks_2[i_halves * 2 * H + i_p] + turned_2;
      output_1[(i_halves * 2 + 1) * H + i_p] = blocks_1[i_halves * 2 * H + i_p] - turned_1;
      output_2[(i_halves * 2 + 1) * H + i_p] = blocks_2[i_halves * 2 * H + i_p] - turned_2;
    }
  }
}
