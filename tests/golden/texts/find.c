// find(word: K.u8, text: (K + N).u8) -> (N + 1).bool for all K, N
#include <stdbool.h>
#include <stdint.h>

int find(
    int64_t K,
    int64_t N,
    const uint8_t *restrict word,
    const uint8_t *restrict text,
    uint8_t *restrict output
) {
  #pragma omp parallel for schedule(static) if(65535 < (6 * N + 6) * K + 3 * N)
  for (int64_t n_block = 0; n_block < (N + 1) / 32; n_block++) {
    _Alignas(64) uint8_t acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = true;
    }
    for (int64_t k = 0; k < K; k++) {
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = acc[n] & (word[k] == text[n_block * 32 + k + n]);
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      output[n_block * 32 + n] = acc[n];
    }
  }
  for (int64_t n = 0; n < (N + 1) % 32; n++) {
    bool acc;
    acc = true;
    for (int64_t k = 0; k < K; k++) {
      acc = acc & (word[k] == text[n + k + 32 * ((N + 1) / 32)]);
    }
    output[n + 32 * ((N + 1) / 32)] = acc;
  }
  return 0;
}
