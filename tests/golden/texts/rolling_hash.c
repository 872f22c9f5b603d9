// rolling_hash(text: 256.u8) -> 256.u32
#include <stdint.h>

int rolling_hash(const uint8_t *restrict text, uint32_t *restrict output) {
  uint32_t hash;
  hash = 7U;
  for (int64_t i_letter = 0; i_letter < 256; i_letter++) {
    hash = hash * 31U + (uint32_t)text[i_letter];
    output[i_letter] = hash;
  }
  return 0;
}
