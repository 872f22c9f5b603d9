// window_sums_gathered(places: (K + N).idx[N], xs: N.f32) -> (N + 1).f32 for all N, K
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

int window_sums_gathered(
    int64_t N,
    int64_t K,
    const int64_t *restrict places,
    const float *restrict xs,
    float *restrict output
) {
  int status = 0;
  float *const xs_tile = allocate(K + N, sizeof(float));
  if (xs_tile != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < 4 * K + 4 * N)
    for (int64_t n = 0; n < K + N; n++) {
      const int64_t places_entry = places[n];
      xs_tile[n] = xs[places_entry];
    }
    #pragma omp parallel for schedule(static) if(65535 < (4 * N + 4) * K + 3 * N)
    for (int64_t n_block = 0; n_block < (N + 1) / 32; n_block++) {
      _Alignas(64) float sums[32];
      for (int64_t n = 0; n < 32; n++) {
        sums[n] = 0.0f;
      }
      for (int64_t n = 0; n < K; n++) {
        for (int64_t n_1 = 0; n_1 < 32; n_1++) {
          sums[n_1] = sums[n_1] + xs_tile[n_block * 32 + n + n_1];
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        output[n_block * 32 + n] = sums[n];
      }
    }
    for (int64_t n = 0; n < (N + 1) % 32; n++) {
      float sum;
      sum = 0.0f;
      for (int64_t n_1 = 0; n_1 < K; n_1++) {
        sum = sum + xs_tile[n + n_1 + 32 * ((N + 1) / 32)];
      }
      output[n + 32 * ((N + 1) / 32)] = sum;
    }
  } else {
    report(&status, 1);
  }
  give_memory(xs_tile);
  return status;
}
