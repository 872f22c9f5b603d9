// laplace(grid: 11.7.f32) -> 11.7.f32
#include <stdint.h>

static inline void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

int laplace(const float *restrict grid, float *restrict output) {
  for (int64_t row = 0; row < 11; row++) {
    keep_scalar();
    for (int64_t column = 0; column < 7; column++) {
      const float padded_grid = 0 < row ? grid[row * 7 + column - 7] : 0.0f;
      const float padded_grid_1 = row < 10 ? grid[row * 7 + column + 7] : 0.0f;
      const float padded_grid_2 = 0 < column ? grid[row * 7 + column - 1] : 0.0f;
      const float padded_grid_3 = column < 6 ? grid[row * 7 + column + 1] : 0.0f;
      output[row * 7 + column] = padded_grid + padded_grid_1 + (padded_grid_2 + padded_grid_3) - 4.0f * grid[row * 7 + column];
    }
  }
  return 0;
}
