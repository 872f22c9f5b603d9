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
  const int32_t gap_1 = gap;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < (N + 31) / 32; i_x++) {
    for (int64_t i_p = 0; i_p < min_i64(N - i_x * 32, 32); i_p++) {
      output[i_x * 32 + i_p] = max_i32(max_i32(0, matches[i_x * 32 + i_p] + beforeLast[i_x * 32 + i_p]), max_i32(last[i_x * 32 + i_p], last[i_x * 32 + i_p + 1]) - gap_1);
    }
  }
  return 0;
}
