// downsample(image: (2 * M).(2 * N).f32) -> M.N.f32 for all M, N
#include <stdint.h>

int downsample(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  #pragma omp parallel for schedule(static) if(3276 < M * N)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t n = 0; n < N; n++) {
      float sum;
      sum = 0.0f;
      #pragma GCC unroll 4
      for (int64_t i = 0; i < 4; i++) {
        sum = sum + image[(m * 4 + i / 2 * 2) * N + n * 2 + i % 2];
      }
      output[m * N + n] = 0.25f * sum;
    }
  }
  return 0;
}
