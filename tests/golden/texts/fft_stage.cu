// fft_stage(twiddles: H.(f32, f32), blocks: B.2.H.(f32, f32)) -> B.2.H.(f32, f32) for all H, B
// for sm_80
extern "C" __global__ void __launch_bounds__(256) fft_stage(
    const float* __restrict__ twiddles_1st,
    const float* __restrict__ twiddles_2nd,
    const float* __restrict__ blocks_1st,
    const float* __restrict__ blocks_2nd,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const int H,
    const int B
) {
  for (int b = blockIdx.y * 8 + threadIdx.y; b < B; b += gridDim.y * 8) {
    for (int h = blockIdx.x * 32 + threadIdx.x; h < H; h += gridDim.x * 32) {
      const int at_b_h = (b * 2 + 1) * H + h;
      const float turned_1st = twiddles_1st[h] * blocks_1st[at_b_h] - twiddles_2nd[h] * blocks_2nd[at_b_h];
      const float turned_2nd = twiddles_1st[h] * blocks_2nd[at_b_h] + twiddles_2nd[h] * blocks_1st[at_b_h];
      const int at_b_h_minus_H = b * 2 * H + h;
      output_1st[at_b_h_minus_H] = blocks_1st[at_b_h_minus_H] + turned_1st;
      output_2nd[at_b_h_minus_H] = blocks_2nd[at_b_h_minus_H] + turned_2nd;
      output_1st[at_b_h] = blocks_1st[at_b_h_minus_H] - turned_1st;
      output_2nd[at_b_h] = blocks_2nd[at_b_h_minus_H] - turned_2nd;
    }
  }
}
