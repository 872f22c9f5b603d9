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
  #pragma omp parallel for schedule(static) if(65535 < (112 * (N / 16) + 12 * N + 270) * B)
  for (int64_t b = 0; b < B; b++) {
    _Alignas(64) float partials_from_chosen[16];
    _Alignas(64) float acc[16];
    for (int64_t n = 0; n < 16; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 16; n_block++) {
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        const float this_batch = batch[b * N + n_block * 16 + n];
        acc[n] = acc[n] + this_batch * this_batch;
      }
    }
    #pragma omp simd
    for (int64_t n = 0; n < 16; n++) {
      float chosen;
      if (n + 16 * (N / 16) < N) {
        const float this_batch = batch[b * N + n + 16 * (N / 16)];
        chosen = this_batch * this_batch;
      } else {
        chosen = 0.0f;
      }
      partials_from_chosen[n] = chosen + acc[n];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n = 0; n < 8; n++) {
      partials[n] = partials_from_chosen[n] + partials_from_chosen[n + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t n = 0; n < 4; n++) {
      sums[n] = partials[n] + partials[n + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n = 0; n < 4; n++) {
      sum = sum + sums[n];
    }
    const float root = sqrtf(fabsf(share) * sum + 1e-05f);
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      __builtin_prefetch(&batch[(b + 1) * N + n_block * 32]);
      __builtin_prefetch(&batch[(b + 1) * N + n_block * 32 + 16]);
      for (int64_t n = 0; n < 32; n++) {
        const int64_t at_b_n = b * N + n_block * 32 + n;
        output[at_b_n] = scale[n_block * 32 + n] * (batch[at_b_n] / root);
      }
    }
    for (int64_t n = 0; n < N % 32; n++) {
      const int64_t at_b_n = b * N + n + 32 * (N / 32);
      output[at_b_n] = scale[n + 32 * (N / 32)] * (batch[at_b_n] / root);
    }
  }
  return 0;
}
