// edit_distance(a: M.u8, b: N.u8) -> (N + 1).i32 for all M, N
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

static inline int32_t min_i32(int32_t a, int32_t b) { return a <= b ? a : b; }

int edit_distance(
    int64_t M,
    int64_t N,
    const uint8_t *restrict a,
    const uint8_t *restrict b,
    int32_t *restrict output
) {
  int status = 0;
  int32_t *const row = allocate(N + 1, sizeof(int32_t));
  if (row != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < N + 1; i_x++) {
      row[i_x] = (int32_t)i_x;
    }
    for (int64_t i_letter = 0; i_letter < M; i_letter++) {
      int32_t *const next = allocate(N + 1, sizeof(int32_t));
      if (next != NULL) {
        const uint8_t letter_1 = a[i_letter];
        const int32_t first_1 = row[0] + 1;
        next[0] = first_1;
        int32_t left_1;
        left_1 = first_1;
        for (int64_t i_above_1 = 0; i_above_1 < N; i_above_1++) {
          const int32_t x_1 = min_i32(row[i_above_1 + 1] + 1, row[i_above_1] + (b[i_above_1] == letter_1 ? 0 : 1));
          left_1 = min_i32(left_1 + 1, x_1);
          next[i_above_1 + 1] = left_1;
        }
        for (int64_t i_copy = 0; i_copy < N + 1; i_copy++) {
          row[i_copy] = next[i_copy];
        }
      } else {
        report(&status, 2);
      }
      free(next);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_1 = 0; i_x_1 < N + 1; i_x_1++) {
      output[i_x_1] = row[i_x_1];
    }
  } else {
    report(&status, 1);
  }
  free(row);
  return status;
}
