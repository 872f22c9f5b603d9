// page_rank(rest: f32, links: N.K.(idx[N], f32), ranks: N.f32) -> N.f32 for all N, K
#include <stdbool.h>
#include <stdint.h>

int page_rank(
    int64_t N,
    int64_t K,
    float rest,
    const int64_t *restrict links_1st,
    const float *restrict links_2nd,
    const float *restrict ranks,
    float *restrict output
) {
  const bool is_less = K < 9;
  if (is_less) {
    #pragma omp parallel for schedule(static) if(65535 < (256 * K + 160) * (N / 32))
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0.0f;
      }
      for (int64_t k = 0; k < K; k++) {
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n_k = (n_block * 32 + n) * K + k;
          const int64_t links_1st_entry = links_1st[at_n_k];
          acc[n] = acc[n] + links_2nd[at_n_k] * ranks[links_1st_entry];
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        output[n_block * 32 + n] = rest + 0.85f * acc[n];
      }
    }
    #pragma omp parallel for schedule(static) if((256 * K + 160) * (N / 32) + 65535 < (8 * K + 5) * N)
    for (int64_t n = 0; n < N % 32; n++) {
      float acc;
      acc = 0.0f;
      for (int64_t k = 0; k < K; k++) {
        const int64_t at_n_k = (n + 32 * (N / 32)) * K + k;
        const int64_t links_1st_entry = links_1st[at_n_k];
        acc = acc + links_2nd[at_n_k] * ranks[links_1st_entry];
      }
      output[n + 32 * (N / 32)] = rest + 0.85f * acc;
    }
  } else {
    #pragma omp parallel for schedule(static) if(65535 < (16 * (K / 16) + 8 * K + 119) * N)
    for (int64_t n = 0; n < N; n++) {
      float sum;
      _Alignas(64) float partials_from_links_2nd[16];
      for (int64_t k = 0; k < 16; k++) {
        partials_from_links_2nd[k] = 0.0f;
      }
      for (int64_t k_step = 0; k_step < K / 16; k_step++) {
        #pragma omp simd
        for (int64_t k = 0; k < 16; k++) {
          const int64_t at_n_k = n * K + k_step * 16 + k;
          const int64_t links_1st_entry = links_1st[at_n_k];
          partials_from_links_2nd[k] = partials_from_links_2nd[k] + links_2nd[at_n_k] * ranks[links_1st_entry];
        }
      }
      _Alignas(64) float partials[8];
      #pragma omp simd
      for (int64_t k = 0; k < 8; k++) {
        partials[k] = partials_from_links_2nd[k] + partials_from_links_2nd[k + 8];
      }
      _Alignas(64) float sums[4];
      #pragma omp simd
      for (int64_t k = 0; k < 4; k++) {
        sums[k] = partials[k] + partials[k + 4];
      }
      sum = 0.0f;
      #pragma GCC unroll 4
      for (int64_t k = 0; k < 4; k++) {
        sum = sum + sums[k];
      }
      for (int64_t k = 0; k < K % 16; k++) {
        const int64_t at_n_k = n * K + k + 16 * (K / 16);
        const int64_t links_1st_entry = links_1st[at_n_k];
        sum = sum + links_2nd[at_n_k] * ranks[links_1st_entry];
      }
      output[n] = rest + 0.85f * sum;
    }
  }
  return 0;
}
