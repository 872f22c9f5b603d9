// determinants(matrices: N.3.3.f32) -> N.f32 for all N
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int determinants(int64_t N, const float *restrict matrices, float *restrict output) {
  #pragma omp parallel for schedule(static) if(63 < (N + 31) / 32)
  for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 288 + n * 9 + 6;
      const int64_t at_n_block_n = n_block * 288 + n * 9 + 3;
      const float difference = matrices[n_block * 288 + n * 9] * (matrices[n_block * 288 + n * 9 + 4] * matrices[n_block * 288 + n * 9 + 8] - matrices[n_block * 288 + n * 9 + 5] * matrices[n_block * 288 + n * 9 + 7]) - matrices[n_block * 288 + n * 9 + 1] * (matrices[at_n_block_n] * matrices[n_block * 288 + n * 9 + 8] - matrices[n_block * 288 + n * 9 + 5] * matrices[at_n]);
      output[n_block * 32 + n] = difference + matrices[n_block * 288 + n * 9 + 2] * (matrices[at_n_block_n] * matrices[n_block * 288 + n * 9 + 7] - matrices[n_block * 288 + n * 9 + 4] * matrices[at_n]);
    }
  }
  return 0;
}
