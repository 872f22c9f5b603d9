// dot_i8(xs: N.i8, ys: N.i8) -> i32 for all N
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

int shine_dot_i8(int64_t N, const int8_t *restrict xs, const int8_t *restrict ys, int32_t *restrict output) {
  int status = 0;
  int32_t x;
  int32_t *const stored = allocate(N / 2048, sizeof(int32_t));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_block = 0; i_block < N / 2048; i_block++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const int32_t p_2 = (int32_t)xs[i_block * 2048 + i_row * 32 + i_p] * (int32_t)ys[i_block * 2048 + i_row * 32 + i_p];
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
    int32_t x_2;
    x_2 = 0;
    for (int64_t i_x_2 = 0; i_x_2 < N / 2048; i_x_2++) {
      x_2 = x_2 + stored[i_x_2];
    }
    x = x_2;
    for (int64_t i_x_3 = 0; i_x_3 < N % 2048; i_x_3++) {
      x = x + (int32_t)xs[i_x_3 + 2048 * (N / 2048)] * (int32_t)ys[i_x_3 + 2048 * (N / 2048)];
    }
    output[0] = x;
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
