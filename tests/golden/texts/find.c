// find(word: K.u8, text: (K + N).u8) -> (N + 1).bool for all K, N
#include <stdbool.h>
#include <stdint.h>

int find(
    int64_t K,
    int64_t N,
    const uint8_t *restrict word,
    const uint8_t *restrict text,
    bool *restrict output
) {
  #pragma omp parallel for schedule(static)
  for (int64_t i_window_block = 0; i_window_block < (N + 1) / 32; i_window_block++) {
    _Alignas(64) bool acc[32];
    for (int64_t i_window = 0; i_window < 32; i_window++) {
      acc[i_window] = true;
    }
    for (int64_t i_x = 0; i_x < K; i_x++) {
      for (int64_t i_window = 0; i_window < 32; i_window++) {
        acc[i_window] = acc[i_window] && word[i_x] == text[i_window_block * 32 + i_x + i_window];
      }
    }
    for (int64_t i_window = 0; i_window < 32; i_window++) {
      output[i_window_block * 32 + i_window] = acc[i_window];
    }
  }
  for (int64_t i_window = 0; i_window < (N + 1) % 32; i_window++) {
    bool acc;
    acc = true;
    for (int64_t i_x = 0; i_x < K; i_x++) {
      acc = acc && word[i_x] == text[i_window + i_x + 32 * ((N + 1) / 32)];
    }
    output[i_window + 32 * ((N + 1) / 32)] = acc;
  }
  return 0;
}
