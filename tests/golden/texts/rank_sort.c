// rank_sort(xs: N.i32) -> N.i32 for all N
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

int rank_sort(int64_t N, const int32_t *restrict xs, int32_t *restrict output) {
  int status = 0;
  int64_t *const ranks = allocate(N, sizeof(int64_t));
  if (ranks != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      int64_t ranks_of_n;
      _Alignas(64) int64_t acc[32];
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        acc[n_1] = 0LL;
      }
      for (int64_t n_block = 0; n_block < N / 32; n_block++) {
        for (int64_t n_1 = 0; n_1 < 32; n_1++) {
          const int64_t at_n = n_block * 32 + n_1;
          const int64_t choice = (xs[at_n] < xs[n]) | ((xs[at_n] == xs[n]) & (at_n < n)) ? 1LL : 0LL;
          acc[n_1] = acc[n_1] + choice;
        }
      }
      ranks_of_n = 0LL;
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        ranks_of_n = ranks_of_n + acc[n_1];
      }
      for (int64_t n_1 = 0; n_1 < N % 32; n_1++) {
        const int64_t at_n = n_1 + 32 * (N / 32);
        const int64_t choice = (xs[at_n] < xs[n]) | ((xs[at_n] == xs[n]) & (at_n < n)) ? 1LL : 0LL;
        ranks_of_n = ranks_of_n + choice;
      }
      ranks[n] = ranks_of_n;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      int32_t sum;
      _Alignas(64) int32_t acc[32];
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        acc[n_1] = 0;
      }
      for (int64_t n_block = 0; n_block < N / 32; n_block++) {
        for (int64_t n_1 = 0; n_1 < 32; n_1++) {
          const int32_t choice = ranks[n_block * 32 + n_1] == n ? xs[n_block * 32 + n_1] : 0;
          acc[n_1] = acc[n_1] + choice;
        }
      }
      sum = 0;
      for (int64_t n_1 = 0; n_1 < 32; n_1++) {
        sum = sum + acc[n_1];
      }
      for (int64_t n_1 = 0; n_1 < N % 32; n_1++) {
        const int64_t at_n = n_1 + 32 * (N / 32);
        sum = sum + (ranks[at_n] == n ? xs[at_n] : 0);
      }
      output[n] = sum;
    }
  } else {
    report(&status, 1);
  }
  free(ranks);
  return status;
}
