// word_count(text: N.u8) -> i32 for all N
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int word_count(int64_t N, const uint8_t *restrict text, int32_t *restrict output) {
  int status = 0;
  int32_t *const sums_from_sum_of_n_step = allocate(N / 4096, sizeof(int32_t));
  if (sums_from_sum_of_n_step != NULL) {
    for (int64_t n_step = 0; n_step < min_i64(N / 4096, 1); n_step++) {
      _Alignas(64) int32_t acc_of_n_step[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_of_n_step[n] = 0;
      }
      for (int64_t n_strip = 0; n_strip < 128; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n = n_step * 4096 + n_strip * 32 + n;
          const uint8_t this_text = 0 < at_n ? text[n_step * 4096 + n_strip * 32 + n - 1] : 0;
          const int32_t choice = (this_text == 0) & (text[at_n] != 0) ? 1 : 0;
          acc_of_n_step[n] = acc_of_n_step[n] + choice;
        }
      }
      int32_t sum_of_n_step;
      sum_of_n_step = 0;
      for (int64_t n = 0; n < 32; n++) {
        sum_of_n_step = sum_of_n_step + acc_of_n_step[n];
      }
      sums_from_sum_of_n_step[n_step] = sum_of_n_step;
    }
    #pragma omp parallel for schedule(static) if(1 < N / 4096)
    for (int64_t n_step = 0; n_step < N / 4096 - 1; n_step++) {
      _Alignas(64) int32_t acc_of_n_step[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_of_n_step[n] = 0;
      }
      for (int64_t n_strip = 0; n_strip < 128; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          const uint8_t this_text = text[n_step * 4096 + n_strip * 32 + n + 4095];
          const int32_t choice = (this_text == 0) & (text[n_step * 4096 + n_strip * 32 + n + 4096] != 0) ? 1 : 0;
          acc_of_n_step[n] = acc_of_n_step[n] + choice;
        }
      }
      int32_t sum_of_n_step;
      sum_of_n_step = 0;
      for (int64_t n = 0; n < 32; n++) {
        sum_of_n_step = sum_of_n_step + acc_of_n_step[n];
      }
      sums_from_sum_of_n_step[n_step + 1] = sum_of_n_step;
    }
    int32_t sum;
    sum = 0;
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      sum = sum + sums_from_sum_of_n_step[n_step];
    }
    _Alignas(64) int32_t sums_from_chosen[32];
    _Alignas(64) int32_t acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0;
    }
    for (int64_t n_step = 0; n_step < min_i64(N / 32 - 128 * (N / 4096), 1); n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        const int64_t at_n = n_step * 32 + n + 4096 * (N / 4096);
        const uint8_t this_text = 0 < at_n ? text[n_step * 32 + n + 4096 * (N / 4096) - 1] : 0;
        const int32_t choice = (this_text == 0) & (text[at_n] != 0) ? 1 : 0;
        acc[n] = acc[n] + choice;
      }
    }
    for (int64_t n_step = 0; n_step < N / 32 - 128 * (N / 4096) - 1; n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        const uint8_t this_text = text[n_step * 32 + n + 4096 * (N / 4096) + 31];
        const int32_t choice = (this_text == 0) & (text[n_step * 32 + n + 4096 * (N / 4096) + 32] != 0) ? 1 : 0;
        acc[n] = acc[n] + choice;
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      int32_t chosen;
      const int64_t at_n = n + 32 * (N / 32);
      if (at_n < N) {
        const uint8_t padded_text = 0 < at_n && at_n < N + 1 ? text[n + 32 * (N / 32) - 1] : 0;
        chosen = (padded_text == 0) & (text[at_n] != 0) ? 1 : 0;
      } else {
        chosen = 0;
      }
      sums_from_chosen[n] = chosen + acc[n];
    }
    int32_t sum_from_chosen;
    sum_from_chosen = 0;
    for (int64_t n = 0; n < 32; n++) {
      sum_from_chosen = sum_from_chosen + sums_from_chosen[n];
    }
    output[0] = sum + sum_from_chosen;
  } else {
    report(&status, 1);
  }
  give_memory(sums_from_sum_of_n_step);
  return status;
}
