// smith_waterman(gap: i32, matches: N.i32, beforeLast: N.i32, last: (N + 1).i32) -> N.i32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int32_t max_i32(int32_t a, int32_t b) { return a >= b ? a : b; }

int smith_waterman(
    int64_t N,
    int32_t gap,
    const int32_t *restrict matches,
    const int32_t *restrict beforeLast,
    const int32_t *restrict last,
    int32_t *restrict output
) {
  #pragma omp parallel for schedule(static) if(204 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      output[at_n] = max_i32(max_i32(0, matches[at_n] + beforeLast[at_n]), max_i32(last[at_n], last[n_block * 32 + n + 1]) - gap);
    }
  }
  return 0;
}
