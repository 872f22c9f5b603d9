// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
#include <stdint.h>

int trsv(int64_t N, const float *restrict lower, const float *restrict b, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < N)
  for (int64_t n = 0; n < N; n++) {
    output[n] = 0.0f;
  }
  for (int64_t n = 0; n < N; n++) {
    _Alignas(64) float partials_from_acc[16];
    _Alignas(64) float acc[16];
    for (int64_t n_1 = 0; n_1 < 16; n_1++) {
      acc[n_1] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 16; n_block++) {
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 16; n_1++) {
        acc[n_1] = acc[n_1] + lower[n * N + n_block * 16 + n_1] * output[n_block * 16 + n_1];
      }
    }
    #pragma omp simd
    for (int64_t n_1 = 0; n_1 < 16; n_1++) {
      const int64_t at_n = n_1 + 16 * (N / 16);
      const float p_2nd = at_n < N ? lower[n * N + n_1 + 16 * (N / 16)] * output[at_n] : 0.0f;
      partials_from_acc[n_1] = p_2nd + acc[n_1];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n_1 = 0; n_1 < 8; n_1++) {
      partials[n_1] = partials_from_acc[n_1] + partials_from_acc[n_1 + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t n_1 = 0; n_1 < 4; n_1++) {
      sums[n_1] = partials[n_1] + partials[n_1 + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n_1 = 0; n_1 < 4; n_1++) {
      sum = sum + sums[n_1];
    }
    const float next = (b[n] - sum) / lower[n * N + n];
    output[n] = next;
  }
  return 0;
}
