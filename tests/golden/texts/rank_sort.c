// rank_sort(xs: N.i32) -> N.i32 for all N
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

int rank_sort(int64_t N, const int32_t *restrict xs, int32_t *restrict output) {
  int status = 0;
  int64_t *const ranks = allocate(N, sizeof(int64_t));
  if (ranks != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < (224 * (N / 16) + 387) * N)
    for (int64_t n = 0; n < N; n++) {
      _Alignas(64) int64_t partials_from_chosen[16];
      _Alignas(64) int64_t acc[16];
      for (int64_t n_1 = 0; n_1 < 16; n_1++) {
        acc[n_1] = 0LL;
      }
      for (int64_t n_block = 0; n_block < N / 16; n_block++) {
        #pragma omp simd
        for (int64_t n_1 = 0; n_1 < 16; n_1++) {
          const int64_t at_n = n_block * 16 + n_1;
          const int64_t choice = (xs[at_n] < xs[n]) | ((xs[at_n] == xs[n]) & (at_n < n)) ? 1LL : 0LL;
          acc[n_1] = acc[n_1] + choice;
        }
      }
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 16; n_1++) {
        int64_t chosen;
        const int64_t at_n = n_1 + 16 * (N / 16);
        if (at_n < N) {
          chosen = (xs[at_n] < xs[n]) | ((xs[at_n] == xs[n]) & (at_n < n)) ? 1LL : 0LL;
        } else {
          chosen = 0LL;
        }
        partials_from_chosen[n_1] = chosen + acc[n_1];
      }
      _Alignas(64) int64_t partials[8];
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 8; n_1++) {
        partials[n_1] = partials_from_chosen[n_1] + partials_from_chosen[n_1 + 8];
      }
      _Alignas(64) int64_t ranks_of_n_from_partials[4];
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 4; n_1++) {
        ranks_of_n_from_partials[n_1] = partials[n_1] + partials[n_1 + 4];
      }
      int64_t ranks_of_n;
      ranks_of_n = 0LL;
      #pragma GCC unroll 4
      for (int64_t n_1 = 0; n_1 < 4; n_1++) {
        ranks_of_n = ranks_of_n + ranks_of_n_from_partials[n_1];
      }
      ranks[n] = ranks_of_n;
    }
    #pragma omp parallel for schedule(static) if(65535 < (128 * (N / 16) + 211) * N)
    for (int64_t n = 0; n < N; n++) {
      _Alignas(64) int32_t partials_from_acc[16];
      _Alignas(64) int32_t acc[16];
      for (int64_t n_1 = 0; n_1 < 16; n_1++) {
        acc[n_1] = 0;
      }
      for (int64_t n_block = 0; n_block < N / 16; n_block++) {
        #pragma omp simd
        for (int64_t n_1 = 0; n_1 < 16; n_1++) {
          const int32_t choice = ranks[n_block * 16 + n_1] == n ? xs[n_block * 16 + n_1] : 0;
          acc[n_1] = acc[n_1] + choice;
        }
      }
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 16; n_1++) {
        const int64_t at_n = n_1 + 16 * (N / 16);
        const int32_t p_2nd = at_n < N ? (ranks[at_n] == n ? xs[at_n] : 0) : 0;
        partials_from_acc[n_1] = p_2nd + acc[n_1];
      }
      _Alignas(64) int32_t partials[8];
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 8; n_1++) {
        partials[n_1] = partials_from_acc[n_1] + partials_from_acc[n_1 + 8];
      }
      _Alignas(64) int32_t sums[4];
      #pragma omp simd
      for (int64_t n_1 = 0; n_1 < 4; n_1++) {
        sums[n_1] = partials[n_1] + partials[n_1 + 4];
      }
      int32_t sum;
      sum = 0;
      #pragma GCC unroll 4
      for (int64_t n_1 = 0; n_1 < 4; n_1++) {
        sum = sum + sums[n_1];
      }
      output[n] = sum;
    }
  } else {
    report(&status, 1);
  }
  give_memory(ranks);
  return status;
}
