// max_pool(channels: C.(2 * M).(2 * N).f32) -> C.M.N.f32 for all C, M, N
#include <math.h>
#include <stdint.h>

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

int max_pool(int64_t C, int64_t M, int64_t N, const float *restrict channels, float *restrict output) {
  #pragma omp parallel for schedule(static) if(3449 < C * M * N)
  for (int64_t c = 0; c < C; c++) {
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        float maximum;
        maximum = -INFINITY;
        #pragma GCC unroll 4
        for (int64_t i = 0; i < 4; i++) {
          maximum = max_f32(maximum, channels[(c * 4 * M + m * 4 + i / 2 * 2) * N + n * 2 + i % 2]);
        }
        output[(c * M + m) * N + n] = maximum;
      }
    }
  }
  return 0;
}
