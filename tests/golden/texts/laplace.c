// laplace(grid: 11.7.f32) -> 11.7.f32
#include <stdint.h>

int laplace(const float *restrict grid, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < 11; i_p++) {
    for (int64_t i_p_1 = 0; i_p_1 < 7; i_p_1++) {
      const float p_1 = 0 < i_p ? grid[i_p * 7 + i_p_1 - 7] : 0.0f;
      const float p_2 = i_p < 10 ? grid[i_p * 7 + i_p_1 + 7] : 0.0f;
      const float p_1_1 = p_1 + p_2;
      const float p_1_2 = 0 < i_p_1 ? grid[i_p * 7 + i_p_1 - 1] : 0.0f;
      const float p_2_1 = i_p_1 < 6 ? grid[i_p * 7 + i_p_1 + 1] : 0.0f;
      const float p_2_2 = p_1_2 + p_2_1;
      const float p_1_3 = p_1_1 + p_2_2;
      output[i_p * 7 + i_p_1] = p_1_3 - 4.0f * grid[i_p * 7 + i_p_1];
    }
  }
  return 0;
}
