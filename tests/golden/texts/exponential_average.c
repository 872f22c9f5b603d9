// exponential_average(share: f32, rows: M.N.f32) -> M.N.f32 for all M, N
#include <stdint.h>

int exponential_average(
    int64_t M,
    int64_t N,
    float share,
    const float *restrict rows,
    float *restrict output
) {
  const float kept = 1.0f / (1.0f + share * share);
  #pragma omp parallel for schedule(static) if(65535 < (9 * N + 1) * M)
  for (int64_t m = 0; m < M; m++) {
    float average;
    average = 0.0f;
    for (int64_t n = 0; n < N; n++) {
      average = kept * average + (1.0f - kept) * rows[m * N + n];
      output[m * N + n] = average;
    }
  }
  return 0;
}
