// edit_distance(a: M.u8, b: N.u8) -> (N + 1).i32 for all M, N
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static void *new_memory(size_t bytes) { return aligned_alloc(64, bytes); }
static void *(*take_memory)(size_t bytes) = new_memory; // or where the caller keeps it for the next calls
static void (*give_memory)(void *memory) = free;

static __attribute__((malloc, noinline))
void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return take_memory((bytes + 64) / 64 * 64);
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
  #pragma omp parallel for schedule(static) if(32767 < N)
  for (int64_t n = 0; n < N + 1; n++) {
    output[n] = (int32_t)n;
  }
  for (int64_t m = 0; m < M; m++) {
    const uint8_t letter = a[m];
    const int32_t first = output[0] + 1;
    _Alignas(64) int32_t next_near[1024];
    int32_t *const next = N + 1 <= 1024 ? next_near : allocate(N + 1, sizeof(int32_t));
    if (next != NULL) {
      next[0] = first;
      int32_t left;
      left = first;
      for (int64_t n = 0; n < N; n++) {
        const int32_t minimum = min_i32(output[n + 1] + 1, output[n] + (b[n] == letter ? 0 : 1));
        left = min_i32(left + 1, minimum);
        next[n + 1] = left;
      }
      for (int64_t n = 0; n < N + 1; n++) {
        output[n] = next[n];
      }
    } else {
      report(&status, 1);
    }
    if (next != next_near) give_memory(next);
  }
  return status;
}
