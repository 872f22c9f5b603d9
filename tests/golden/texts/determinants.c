// determinants(matrices: N.3.3.f32) -> N.f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int determinants(int64_t N, const float *restrict matrices, float *restrict output) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_block = 0; i_block < (N + 31) / 32; i_block++) {
    for (int64_t i_matrix = 0; i_matrix < min_i64(N - i_block * 32, 32); i_matrix++) {
      const float x = matrices[i_block * 288 + i_matrix * 9] * (matrices[i_block * 288 + i_matrix * 9 + 4] * matrices[i_block * 288 + i_matrix * 9 + 8] - matrices[i_block * 288 + i_matrix * 9 + 5] * matrices[i_block * 288 + i_matrix * 9 + 7]) - matrices[i_block * 288 + i_matrix * 9 + 1] * (matrices[i_block * 288 + i_matrix * 9 + 3] * matrices[i_block * 288 + i_matrix * 9 + 8] - matrices[i_block * 288 + i_matrix * 9 + 5] * matrices[i_block * 288 + i_matrix * 9 + 6]);
      const float x_1 = x + matrices[i_block * 288 + i_matrix * 9 + 2] * (matrices[i_block * 288 + i_matrix * 9 + 3] * matrices[i_block * 288 + i_matrix * 9 + 7] - matrices[i_block * 288 + i_matrix * 9 + 4] * matrices[i_block * 288 + i_matrix * 9 + 6]);
      output[i_block * 32 + i_matrix] = x_1;
    }
  }
  return 0;
}
