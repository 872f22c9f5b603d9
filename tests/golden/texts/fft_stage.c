// fft_stage(twiddles: H.(f32, f32), blocks: B.2.H.(f32, f32)) -> B.2.H.(f32, f32) for all H, B
#include <stdint.h>

int fft_stage(
    int64_t H,
    int64_t B,
    const float *restrict twiddles_1,
    const float *restrict twiddles_2,
    const float *restrict blocks_1,
    const float *restrict blocks_2,
    float *restrict output_1,
    float *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_halves = 0; i_halves < B; i_halves++) {
    for (int64_t i_p = 0; i_p < H; i_p++) {
      const float turned = twiddles_1[i_p] * blocks_1[(i_halves * 2 + 1) * H + i_p] - twiddles_2[i_p] * blocks_2[(i_halves * 2 + 1) * H + i_p];
      const float turned_1 = twiddles_1[i_p] * blocks_2[(i_halves * 2 + 1) * H + i_p] + twiddles_2[i_p] * blocks_1[(i_halves * 2 + 1) * H + i_p];
      output_1[i_halves * 2 * H + i_p] = blocks_1[i_halves * 2 * H + i_p] + turned;
      output_2[i_halves * 2 * H + i_p] = blocks_2[i_halves * 2 * H + i_p] + turned_1;
      output_1[(i_halves * 2 + 1) * H + i_p] = blocks_1[i_halves * 2 * H + i_p] - turned;
      output_2[(i_halves * 2 + 1) * H + i_p] = blocks_2[i_halves * 2 * H + i_p] - turned_1;
    }
  }
  return 0;
}
