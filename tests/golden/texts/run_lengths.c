// run_lengths(text: N.u8) -> N.i32 for all N
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

int run_lengths(int64_t N, const uint8_t *restrict text, int32_t *restrict output) {
  int status = 0;
  uint8_t *const run_1st = allocate(N, sizeof(uint8_t));
  if (run_1st != NULL) {
    uint8_t run_from_letter_1st;
    int32_t run_2nd;
    run_from_letter_1st = 0;
    run_2nd = 0;
    for (int64_t n = 0; n < N; n++) {
      const uint8_t letter = text[n];
      const int32_t next_run_2nd = run_from_letter_1st == letter ? run_2nd + 1 : 1;
      run_from_letter_1st = letter;
      run_2nd = next_run_2nd;
      run_1st[n] = run_from_letter_1st;
      output[n] = run_2nd;
    }
  } else {
    report(&status, 1);
  }
  give_memory(run_1st);
  return status;
}
