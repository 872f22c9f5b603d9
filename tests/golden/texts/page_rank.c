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
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float x;
    _Alignas(64) float acc[32];
    for (int64_t k = 0; k < 32; k++) {
      acc[k] = 0.0f;
    }
    for (int64_t k_step = 0; k_step < K / 32; k_step++) {
      for (int64_t k = 0; k < 32; k++) {
        const int64_t at = links_1[n * K + k_step * 32 + k];
        const float p = links_2[n * K + k_step * 32 + k] * ranks[at];
        acc[k] = acc[k] + p;
      }
    }
    float x_1;
    x_1 = 0.0f;
    for (int64_t k = 0; k < 32; k++) {
      x_1 = x_1 + acc[k];
    }
    x = x_1;
    for (int64_t k = 0; k < K % 32; k++) {
      const int64_t at = links_1[n * K + k + 32 * (K / 32)];
      x = x + links_2[n * K + k + 32 * (K / 32)] * ranks[at];
    }
    output[n] = rest + 0.85f * x;
  }
  return 0;
}
