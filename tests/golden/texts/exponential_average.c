// exponential_average(share: f32, rows: M.N.f32) -> M.N.f32 for all M, N
#include <stdint.h>

int exponential_average(
    int64_t M,
    int64_t N,
    float share,
    const float *restrict rows,
    float *restrict output
) {
  const float share_1 = share;
  const float kept = 1.0f / (1.0f + share_1 * share_1);
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M; i_x++) {
    float average;
    average = 0.0f;
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      average = kept * average + (1.0f - kept) * rows[i_x * N + i_x_1];
      output[i_x * N + i_x_1] = average;
    }
  }
  return 0;
}
