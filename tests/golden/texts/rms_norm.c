// rms_norm(share: f32, scale: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
#include <math.h>
#include <stdint.h>

int rms_norm(
    int64_t N,
    int64_t B,
    float share,
    const float *restrict scale,
    const float *restrict batch,
    float *restrict output
) {
  const float share_1 = share;
  #pragma omp parallel for schedule(static)
  for (int64_t i_xs = 0; i_xs < B; i_xs++) {
    float x;
    _Alignas(64) float acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0.0f;
    }
    for (int64_t i_row = 0; i_row < N / 32; i_row++) {
      for (int64_t i_p = 0; i_p < 32; i_p++) {
        const float x_1 = batch[i_xs * N + i_row * 32 + i_p];
        const float p_2 = x_1 * x_1;
        acc[i_p] = acc[i_p] + p_2;
      }
    }
    float x_2;
    x_2 = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
      x_2 = x_2 + acc[i_x_1];
    }
    x = x_2;
    for (int64_t i_x_2 = 0; i_x_2 < N % 32; i_x_2++) {
      const float x_3 = batch[i_xs * N + i_x_2 + 32 * (N / 32)];
      x = x + x_3 * x_3;
    }
    const float x_4 = sqrtf(fabsf(share_1) * x + 1e-05f);
    for (int64_t i_p_1_step = 0; i_p_1_step < N / 32; i_p_1_step++) {
      __builtin_prefetch(&batch[(i_xs + 1) * N + i_p_1_step * 32]);
      __builtin_prefetch(&batch[(i_xs + 1) * N + i_p_1_step * 32 + 16]);
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        output[i_xs * N + i_p_1_step * 32 + i_p_1] = scale[i_p_1_step * 32 + i_p_1] * (batch[i_xs * N + i_p_1_step * 32 + i_p_1] / x_4);
      }
    }
    for (int64_t i_p_1 = 0; i_p_1 < N % 32; i_p_1++) {
      output[i_xs * N + i_p_1 + 32 * (N / 32)] = scale[i_p_1 + 32 * (N / 32)] * (batch[i_xs * N + i_p_1 + 32 * (N / 32)] / x_4);
    }
  }
  return 0;
}
