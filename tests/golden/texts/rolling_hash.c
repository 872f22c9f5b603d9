// rolling_hash(text: 256.u8) -> 256.u32
#include <stdint.h>

int rolling_hash(const uint8_t *restrict text, uint32_t *restrict output) {
  uint32_t hash;
  hash = 7U;
  for (int64_t i = 0; i < 256; i++) {
    hash = hash * 31U + (uint32_t)text[i];
    output[i] = hash;
  }
  return 0;
}
