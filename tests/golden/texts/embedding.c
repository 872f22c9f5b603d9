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
  #pragma omp parallel for schedule(static) if(65535 < (4 * D + 2) * N)
  for (int64_t n = 0; n < N; n++) {
    const int64_t words_entry = words[n];
    for (int64_t d = 0; d < D; d++) {
      output[n * D + d] = table[words_entry * D + d] + places[n * D + d];
    }
  }
  return 0;
}
