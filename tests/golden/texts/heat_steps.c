// heat_steps(speed: f32, rod: N.f32) -> N.f32 for all N where n >= 1
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

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int heat_steps(int64_t N, float speed, const float *restrict rod, float *restrict output) {
  int status = 0;
  for (int64_t n = 0; n < N; n++) {
    output[n] = rod[n];
  }
  for (int64_t i_step = 0; i_step < 20; i_step++) {
    const float share = 0.25f * speed;
    _Alignas(64) float next_near[1024];
    float *const next = N <= 1024 ? next_near : allocate(N, sizeof(float));
    if (next != NULL) {
      for (int64_t n = 0; n < min_i64(N, 1); n++) {
        next[n] = (1.0f - 2.0f * share) * output[n] + share * (output[min_i64(0, N - 1)] + output[min_i64(N - 1, n + 1)]);
      }
      for (int64_t n = 0; n < N - 2; n++) {
        next[n + 1] = (1.0f - 2.0f * share) * output[n + 1] + share * (output[n] + output[n + 2]);
      }
      for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
        next[n + max_i64(N - 1, 1)] = (1.0f - 2.0f * share) * output[n + max_i64(N - 1, 1)] + share * (output[min_i64(N - 1, n + max_i64(N - 1, 1) - 1)] + output[N - 1]);
      }
      for (int64_t n = 0; n < N; n++) {
        output[n] = next[n];
      }
    } else {
      report(&status, 1);
    }
    if (next != next_near) give_memory(next);
  }
  return status;
}
