// fft_stage(twiddles: H.(f32, f32), blocks: B.2.H.(f32, f32)) -> B.2.H.(f32, f32) for all H, B
#include <stdint.h>

int fft_stage(
    int64_t H,
    int64_t B,
    const float *restrict twiddles_1st,
    const float *restrict twiddles_2nd,
    const float *restrict blocks_1st,
    const float *restrict blocks_2nd,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(2340 < B * H)
  for (int64_t b = 0; b < B; b++) {
    for (int64_t h = 0; h < H; h++) {
      const int64_t at_b_h = (b * 2 + 1) * H + h;
      const float turned_1st = twiddles_1st[h] * blocks_1st[at_b_h] - twiddles_2nd[h] * blocks_2nd[at_b_h];
      const float turned_2nd = twiddles_1st[h] * blocks_2nd[at_b_h] + twiddles_2nd[h] * blocks_1st[at_b_h];
      const int64_t at_b_h_minus_H = b * 2 * H + h;
      output_1st[at_b_h_minus_H] = blocks_1st[at_b_h_minus_H] + turned_1st;
      output_2nd[at_b_h_minus_H] = blocks_2nd[at_b_h_minus_H] + turned_2nd;
      output_1st[at_b_h] = blocks_1st[at_b_h_minus_H] - turned_1st;
      output_2nd[at_b_h] = blocks_2nd[at_b_h_minus_H] - turned_2nd;
    }
  }
  return 0;
}
