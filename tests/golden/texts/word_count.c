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
    for (int64_t n_step = 0; n_step < min_i64(N / 2048, 1); n_step++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0;
      }
      for (int64_t n_step_1 = 0; n_step_1 < 64; n_step_1++) {
        for (int64_t n = 0; n < 32; n++) {
          const uint8_t p = 0 < n_step * 2048 + n_step_1 * 32 + n ? text[n_step * 2048 + n_step_1 * 32 + n - 1] : 0;
          const int32_t p_1 = p == 0 && text[n_step * 2048 + n_step_1 * 32 + n] != 0 ? 1 : 0;
          acc[n] = acc[n] + p_1;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t n = 0; n < 32; n++) {
        x_1 = x_1 + acc[n];
      }
      stored[n_step] = x_1;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t n_step = 0; n_step < N / 2048 - 1; n_step++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0;
      }
      for (int64_t n_step_1 = 0; n_step_1 < 64; n_step_1++) {
        for (int64_t n = 0; n < 32; n++) {
          const uint8_t p = text[n_step * 2048 + n_step_1 * 32 + n + 2047];
          const int32_t p_1 = p == 0 && text[n_step * 2048 + n_step_1 * 32 + n + 2048] != 0 ? 1 : 0;
          acc[n] = acc[n] + p_1;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t n = 0; n < 32; n++) {
        x_1 = x_1 + acc[n];
      }
      stored[n_step + 1] = x_1;
    }
    int32_t x_1;
    x_1 = 0;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      x_1 = x_1 + stored[n_step];
    }
    x = x_1;
    for (int64_t n = 0; n < min_i64(N % 2048, 1); n++) {
      const uint8_t p = 0 < n + 2048 * (N / 2048) ? text[n + 2048 * (N / 2048) - 1] : 0;
      const int32_t x_2 = x + (p == 0 && text[n + 2048 * (N / 2048)] != 0 ? 1 : 0);
      x = x_2;
    }
    for (int64_t n = 0; n < N % 2048 - 1; n++) {
      const uint8_t p = text[n + 2048 * (N / 2048)];
      const int32_t x_2 = x + (p == 0 && text[n + 2048 * (N / 2048) + 1] != 0 ? 1 : 0);
      x = x_2;
    }
    output[0] = x;
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
