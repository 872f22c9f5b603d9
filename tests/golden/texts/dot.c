// dot(xs: N.f32, ys: N.f32) -> f32 for all N
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

int dot(int64_t N, const float *restrict xs, const float *restrict ys, float *restrict output) {
  int status = 0;
  float *const sums_from_sum_of_n_step = allocate(N / 4096, sizeof(float));
  if (sums_from_sum_of_n_step != NULL) {
    #pragma omp parallel for schedule(static) if(2 < N / 4096)
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      _Alignas(64) float acc_of_n_step[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_of_n_step[n] = 0.0f;
      }
      for (int64_t n_strip = 0; n_strip < 128; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n = n_step * 4096 + n_strip * 32 + n;
          acc_of_n_step[n] = acc_of_n_step[n] + xs[at_n] * ys[at_n];
        }
      }
      float sum_of_n_step;
      sum_of_n_step = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        sum_of_n_step = sum_of_n_step + acc_of_n_step[n];
      }
      sums_from_sum_of_n_step[n_step] = sum_of_n_step;
    }
    float sum;
    sum = 0.0f;
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      sum = sum + sums_from_sum_of_n_step[n_step];
    }
    _Alignas(64) float sums_from_acc[32];
    _Alignas(64) float acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_step = 0; n_step < N / 32 - 128 * (N / 4096); n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        const int64_t at_n = n_step * 32 + n + 4096 * (N / 4096);
        acc[n] = acc[n] + xs[at_n] * ys[at_n];
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const float p_2nd = at_n < N ? xs[at_n] * ys[at_n] : 0.0f;
      sums_from_acc[n] = p_2nd + acc[n];
    }
    float sum_from_acc;
    sum_from_acc = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum_from_acc = sum_from_acc + sums_from_acc[n];
    }
    output[0] = sum + sum_from_acc;
  } else {
    report(&status, 1);
  }
  give_memory(sums_from_sum_of_n_step);
  return status;
}
