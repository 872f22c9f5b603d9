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
  #pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < B; b++) {
    float sum;
    _Alignas(64) float acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      for (int64_t n = 0; n < 32; n++) {
        const float this_batch = batch[b * N + n_block * 32 + n];
        acc[n] = acc[n] + this_batch * this_batch;
      }
    }
    sum = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum = sum + acc[n];
    }
    for (int64_t n = 0; n < N % 32; n++) {
      const float this_batch = batch[b * N + n + 32 * (N / 32)];
      sum = sum + this_batch * this_batch;
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
