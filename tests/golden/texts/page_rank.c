// page_rank(rest: f32, links: N.K.(idx[N], f32), ranks: N.f32) -> N.f32 for all N, K
#include <stdint.h>

int page_rank(
    int64_t N,
    int64_t K,
    float rest,
    const int64_t *restrict links_1,
    const float *restrict links_2,
    const float *restrict ranks,
    float *restrict output
) {
  const float rest_1 = rest;
  #pragma omp parallel for schedule(static)
  for (int64_t i_from = 0; i_from < N; i_from++) {
    float x;
    _Alignas(64) float acc[32];
    for (int64_t i_x = 0; i_x < 32; i_x++) {
      acc[i_x] = 0.0f;
    }
    for (int64_t i_row = 0; i_row < K / 32; i_row++) {
      for (int64_t i_p = 0; i_p < 32; i_p++) {
        const int64_t at = links_1[i_from * K + i_row * 32 + i_p];
        const float p_2 = links_2[i_from * K + i_row * 32 + i_p] * ranks[at];
        acc[i_p] = acc[i_p] + p_2;
      }
    }
    float x_1;
    x_1 = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
      x_1 = x_1 + acc[i_x_1];
    }
    x = x_1;
    for (int64_t i_x_2 = 0; i_x_2 < K % 32; i_x_2++) {
      const int64_t at_1 = links_1[i_from * K + i_x_2 + 32 * (K / 32)];
      x = x + links_2[i_from * K + i_x_2 + 32 * (K / 32)] * ranks[at_1];
    }
    output[i_from] = rest_1 + 0.85f * x;
  }
  return 0;
}
