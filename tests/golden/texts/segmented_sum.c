// segmented_sum(rows: M.N.(bool, f32)) -> M.N.f32 for all M, N
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

int segmented_sum(
    int64_t M,
    int64_t N,
    const uint8_t *restrict rows_1st,
    const float *restrict rows_2nd,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < (17 * N + 2) * M)
  for (int64_t m = 0; m < M; m++) {
    _Alignas(64) uint8_t a_1st_near[4096];
    uint8_t *const a_1st = N <= 4096 ? a_1st_near : allocate(N, sizeof(uint8_t));
    _Alignas(64) float a_2nd_near[1024];
    float *const a_2nd = N <= 1024 ? a_2nd_near : allocate(N, sizeof(float));
    if (a_1st != NULL && a_2nd != NULL) {
      bool a_from_rows_1st_1st;
      float a_from_rows_1st_2nd;
      a_from_rows_1st_1st = false;
      a_from_rows_1st_2nd = 0.0f;
      for (int64_t n_block = 0; n_block < N / 32; n_block++) {
        __builtin_prefetch(&rows_1st[(m + 1) * N + n_block * 32]);
        __builtin_prefetch(&rows_2nd[(m + 1) * N + n_block * 32]);
        __builtin_prefetch(&rows_2nd[(m + 1) * N + n_block * 32 + 16]);
        __builtin_prefetch(&output[m * N + n_block * 32], 1);
        __builtin_prefetch(&output[m * N + n_block * 32 + 16], 1);
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_m_n = m * N + n_block * 32 + n;
          a_from_rows_1st_1st = a_from_rows_1st_1st | (rows_1st[at_m_n] != 0);
          a_from_rows_1st_2nd = rows_1st[at_m_n] != 0 ? rows_2nd[at_m_n] : a_from_rows_1st_2nd + rows_2nd[at_m_n];
          a_1st[n_block * 32 + n] = a_from_rows_1st_1st;
          a_2nd[n_block * 32 + n] = a_from_rows_1st_2nd;
        }
      }
      for (int64_t n = 0; n < N % 32; n++) {
        const int64_t at_m_n = m * N + n + 32 * (N / 32);
        a_from_rows_1st_1st = a_from_rows_1st_1st | (rows_1st[at_m_n] != 0);
        a_from_rows_1st_2nd = rows_1st[at_m_n] != 0 ? rows_2nd[at_m_n] : a_from_rows_1st_2nd + rows_2nd[at_m_n];
        const int64_t at_n = n + 32 * (N / 32);
        a_1st[at_n] = a_from_rows_1st_1st;
        a_2nd[at_n] = a_from_rows_1st_2nd;
      }
      for (int64_t n = 0; n < N; n++) {
        output[m * N + n] = a_2nd[n];
      }
    } else {
      report(&status, 1);
    }
    if (a_2nd != a_2nd_near) give_memory(a_2nd);
    if (a_1st != a_1st_near) give_memory(a_1st);
  }
  return status;
}
