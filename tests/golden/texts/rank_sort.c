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
  int32_t *const numbered = allocate(N, sizeof(int32_t));
  int64_t *const numbered_1 = allocate(N, sizeof(int64_t));
  int64_t *const ranks = allocate(N, sizeof(int64_t));
  if (numbered != NULL && numbered_1 != NULL && ranks != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < N; i_x++) {
      numbered[i_x] = xs[i_x];
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
      numbered_1[i_x_1] = i_x_1;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_2 = 0; i_x_2 < N; i_x_2++) {
      int64_t x;
      _Alignas(64) int64_t acc[32];
      for (int64_t i_x_3 = 0; i_x_3 < 32; i_x_3++) {
        acc[i_x_3] = 0LL;
      }
      for (int64_t i_row = 0; i_row < N / 32; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const int64_t x_1 = numbered[i_row * 32 + i_p] < numbered[i_x_2] || (numbered[i_row * 32 + i_p] == numbered[i_x_2] && numbered_1[i_row * 32 + i_p] < numbered_1[i_x_2]) ? 1LL : 0LL;
          acc[i_p] = acc[i_p] + x_1;
        }
      }
      int64_t x_2;
      x_2 = 0LL;
      for (int64_t i_x_4 = 0; i_x_4 < 32; i_x_4++) {
        x_2 = x_2 + acc[i_x_4];
      }
      x = x_2;
      for (int64_t i_x_5 = 0; i_x_5 < N % 32; i_x_5++) {
        const int64_t x_3 = numbered[i_x_5 + 32 * (N / 32)] < numbered[i_x_2] || (numbered[i_x_5 + 32 * (N / 32)] == numbered[i_x_2] && numbered_1[i_x_5 + 32 * (N / 32)] < numbered_1[i_x_2]) ? 1LL : 0LL;
        x = x + x_3;
      }
      ranks[i_x_2] = x;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_place = 0; i_place < N; i_place++) {
      int32_t x_4;
      _Alignas(64) int32_t acc_1[32];
      for (int64_t i_x_6 = 0; i_x_6 < 32; i_x_6++) {
        acc_1[i_x_6] = 0;
      }
      for (int64_t i_row_1 = 0; i_row_1 < N / 32; i_row_1++) {
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          const int32_t p_2 = ranks[i_row_1 * 32 + i_p_1] == i_place ? xs[i_row_1 * 32 + i_p_1] : 0;
          acc_1[i_p_1] = acc_1[i_p_1] + p_2;
        }
      }
      int32_t x_5;
      x_5 = 0;
      for (int64_t i_x_7 = 0; i_x_7 < 32; i_x_7++) {
        x_5 = x_5 + acc_1[i_x_7];
      }
      x_4 = x_5;
      for (int64_t i_x_8 = 0; i_x_8 < N % 32; i_x_8++) {
        x_4 = x_4 + (ranks[i_x_8 + 32 * (N / 32)] == i_place ? xs[i_x_8 + 32 * (N / 32)] : 0);
      }
      output[i_place] = x_4;
    }
  } else {
    report(&status, 1);
  }
  free(ranks);
  free(numbered_1);
  free(numbered);
  return status;
}
