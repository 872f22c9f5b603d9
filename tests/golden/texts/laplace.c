// laplace(grid: 11.7.f32) -> 11.7.f32
#include <stdint.h>

static inline void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

int laplace(const float *restrict grid, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t row = 0; row < 11; row++) {
    keep_scalar();
    for (int64_t column = 0; column < 7; column++) {
      const float p = 0 < row ? grid[row * 7 + column - 7] : 0.0f;
      const float p_1 = row < 10 ? grid[row * 7 + column + 7] : 0.0f;
      const float p_2 = p + p_1;
      const float p_3 = 0 < column ? grid[row * 7 + column - 1] : 0.0f;
      const float p_4 = column < 6 ? grid[row * 7 + column + 1] : 0.0f;
      const float p_5 = p_3 + p_4;
      const float p_6 = p_2 + p_5;
      output[row * 7 + column] = p_6 - 4.0f * grid[row * 7 + column];
    }
  }
  return 0;
}
