// max_subarray(xs: N.i32) -> i32 for all N
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

static inline int32_t max_i32(int32_t a, int32_t b) { return a >= b ? a : b; }

int max_subarray(int64_t N, const int32_t *restrict xs, int32_t *restrict output) {
  int status = 0;
  int32_t *const packed = allocate(N, sizeof(int32_t));
  int32_t *const maxima_from_maximum_of_i = allocate(N / 4096, sizeof(int32_t));
  if (packed != NULL && maxima_from_maximum_of_i != NULL) {
    int32_t ending;
    ending = 0;
    for (int64_t n = 0; n < N; n++) {
      ending = max_i32(ending + xs[n], 0);
      packed[n] = ending;
    }
    #pragma omp parallel for schedule(static) if(3 < N / 4096)
    for (int64_t i = 0; i < N / 4096; i++) {
      _Alignas(64) int32_t acc_of_i[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_of_i[n] = 0;
      }
      for (int64_t i_row = 0; i_row < 128; i_row++) {
        for (int64_t n = 0; n < 32; n++) {
          acc_of_i[n] = max_i32(acc_of_i[n], packed[i * 4096 + i_row * 32 + n]);
        }
      }
      int32_t maximum_of_i;
      maximum_of_i = 0;
      for (int64_t n = 0; n < 32; n++) {
        maximum_of_i = max_i32(maximum_of_i, acc_of_i[n]);
      }
      maxima_from_maximum_of_i[i] = maximum_of_i;
    }
    int32_t maximum;
    maximum = 0;
    for (int64_t i = 0; i < N / 4096; i++) {
      maximum = max_i32(maximum, maxima_from_maximum_of_i[i]);
    }
    _Alignas(64) int32_t maxima_from_acc[32];
    _Alignas(64) int32_t acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0;
    }
    for (int64_t i_row = 0; i_row < N / 32 - 128 * (N / 4096); i_row++) {
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = max_i32(acc[n], packed[i_row * 32 + n + 4096 * (N / 4096)]);
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const int32_t padded_packed = at_n < N ? packed[at_n] : 0;
      maxima_from_acc[n] = max_i32(padded_packed, acc[n]);
    }
    int32_t maximum_from_acc;
    maximum_from_acc = 0;
    for (int64_t n = 0; n < 32; n++) {
      maximum_from_acc = max_i32(maximum_from_acc, maxima_from_acc[n]);
    }
    output[0] = max_i32(maximum, maximum_from_acc);
  } else {
    report(&status, 1);
  }
  give_memory(maxima_from_maximum_of_i);
  give_memory(packed);
  return status;
}
