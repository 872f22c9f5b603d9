// random_walk(steps: N.i32, seeds: M.u32) -> M.N.i32 for all N, M
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

int random_walk(
    int64_t N,
    int64_t M,
    const int32_t *restrict steps,
    const uint32_t *restrict seeds,
    int32_t *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < (28 * N + 3) * M)
  for (int64_t m = 0; m < M; m++) {
    _Alignas(64) uint32_t state_1st_near[1024];
    uint32_t *const state_1st = N <= 1024 ? state_1st_near : allocate(N, sizeof(uint32_t));
    _Alignas(64) int32_t state_2nd_near[1024];
    int32_t *const state_2nd = N <= 1024 ? state_2nd_near : allocate(N, sizeof(int32_t));
    if (state_1st != NULL && state_2nd != NULL) {
      uint32_t state_from_seeds_1st;
      int32_t state_from_seeds_2nd;
      state_from_seeds_1st = seeds[m];
      state_from_seeds_2nd = 0;
      for (int64_t n = 0; n < N; n++) {
        const int32_t step = steps[n];
        const uint32_t sum = 1664525U * state_from_seeds_1st + 1013904223U;
        state_from_seeds_1st = sum;
        state_from_seeds_2nd = sum / 2147483648U == 1U ? state_from_seeds_2nd + step : state_from_seeds_2nd - step;
        state_1st[n] = state_from_seeds_1st;
        state_2nd[n] = state_from_seeds_2nd;
      }
      for (int64_t n = 0; n < N; n++) {
        output[m * N + n] = state_2nd[n];
      }
    } else {
      report(&status, 1);
    }
    if (state_2nd != state_2nd_near) give_memory(state_2nd);
    if (state_1st != state_1st_near) give_memory(state_1st);
  }
  return status;
}
