// word_count(text: N.u8) -> i32 for all N
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return aligned_alloc(64, (bytes + 64) / 64 * 64);
}

static inline void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int word_count(int64_t N, const uint8_t *restrict text, int32_t *restrict output) {
  int status = 0;
  int32_t x;
  int32_t *const stored = allocate(N / 2048, sizeof(int32_t));
  if (stored != NULL) {
    for (int64_t i_block = 0; i_block < min_i64(N / 2048, 1); i_block++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const uint8_t p_1 = 0 < i_block * 2048 + i_row * 32 + i_p ? text[i_block * 2048 + i_row * 32 + i_p - 1] : 0;
          const int32_t p_2 = p_1 == 0 && text[i_block * 2048 + i_row * 32 + i_p] != 0 ? 1 : 0;
          acc[i_p] = acc[i_p] + p_2;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = x_1 + acc[i_x_1];
      }
      stored[i_block] = x_1;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_block = 0; i_block < N / 2048 - 1; i_block++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const uint8_t p_1 = text[i_block * 2048 + i_row * 32 + i_p + 2047];
          const int32_t p_2 = p_1 == 0 && text[i_block * 2048 + i_row * 32 + i_p + 2048] != 0 ? 1 : 0;
          acc[i_p] = acc[i_p] + p_2;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = x_1 + acc[i_x_1];
      }
      stored[i_block + 1] = x_1;
    }
    int32_t x_2;
    x_2 = 0;
    for (int64_t i_x_2 = 0; i_x_2 < N / 2048; i_x_2++) {
      x_2 = x_2 + stored[i_x_2];
    }
    x = x_2;
    for (int64_t i_x_3 = 0; i_x_3 < min_i64(N % 2048, 1); i_x_3++) {
      const uint8_t p_1_1 = 0 < i_x_3 + 2048 * (N / 2048) ? text[i_x_3 + 2048 * (N / 2048) - 1] : 0;
      const int32_t x_3 = x + (p_1_1 == 0 && text[i_x_3 + 2048 * (N / 2048)] != 0 ? 1 : 0);
      x = x_3;
    }
    for (int64_t i_x_3 = 0; i_x_3 < N % 2048 - 1; i_x_3++) {
      const uint8_t p_1_1 = text[i_x_3 + 2048 * (N / 2048)];
      const int32_t x_3 = x + (p_1_1 == 0 && text[i_x_3 + 2048 * (N / 2048) + 1] != 0 ? 1 : 0);
      x = x_3;
    }
    output[0] = x;
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
