// embedding(words: N.idx[V], table: V.D.f32, places: N.D.f32) -> N.D.f32 for all N, V, D
#include <stdint.h>

int embedding(
    int64_t N,
    int64_t V,
    int64_t D,
    const int64_t *restrict words,
    const float *restrict table,
    const float *restrict places,
    float *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_p = 0; i_p < N; i_p++) {
    const int64_t at = words[i_p];
    for (int64_t i_p_1 = 0; i_p_1 < D; i_p_1++) {
      output[i_p * D + i_p_1] = table[at * D + i_p_1] + places[i_p * D + i_p_1];
    }
  }
  return 0;
}
