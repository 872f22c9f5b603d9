// opening(image: M.N.u8) -> M.N.u8 for all M, N where N >= 1, M >= 1
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

static inline uint8_t min_u8(uint8_t a, uint8_t b) { return a <= b ? a : b; }

static inline uint8_t max_u8(uint8_t a, uint8_t b) { return a >= b ? a : b; }

int opening(int64_t M, int64_t N, const uint8_t *restrict image, uint8_t *restrict output) {
  int status = 0;
  uint8_t *const eroded = allocate(M * N, sizeof(uint8_t));
  if (eroded != NULL) {
    for (int64_t m = 0; m < min_i64(M, 1); m++) {
      for (int64_t n = 0; n < N; n++) {
        uint8_t eroded_of_n;
        eroded_of_n = 255;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          eroded_of_n = min_u8(eroded_of_n, image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        eroded[m * N + n] = eroded_of_n;
      }
    }
    #pragma omp parallel for schedule(static) if(1680 < M * N)
    for (int64_t m = 0; m < M - 3; m++) {
      for (int64_t n = 0; n < min_i64(N, 1); n++) {
        uint8_t eroded_of_n;
        eroded_of_n = 255;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          eroded_of_n = min_u8(eroded_of_n, image[(m + i / 3) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        eroded[(m + 1) * N + n] = eroded_of_n;
      }
      for (int64_t n = 0; n < N - 2; n++) {
        uint8_t eroded_of_n;
        eroded_of_n = 255;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          eroded_of_n = min_u8(eroded_of_n, image[(m + i / 3) * N + n + i % 3]);
        }
        eroded[(m + 1) * N + n + 1] = eroded_of_n;
      }
      for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
        uint8_t eroded_of_n;
        eroded_of_n = 255;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          eroded_of_n = min_u8(eroded_of_n, image[(m + i / 3) * N + min_i64(N - 1, n + i % 3 + max_i64(N - 1, 1) - 1)]);
        }
        eroded[(m + 1) * N + n + max_i64(N - 1, 1)] = eroded_of_n;
      }
    }
    for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 2); m++) {
      for (int64_t n = 0; n < N; n++) {
        uint8_t eroded_of_n;
        eroded_of_n = 255;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          eroded_of_n = min_u8(eroded_of_n, image[min_i64(M - 1, m + i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        eroded[(m + max_i64(M - 2, 1)) * N + n] = eroded_of_n;
      }
    }
    for (int64_t m = 0; m < min_i64(M, 1); m++) {
      for (int64_t n = 0; n < N; n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, eroded[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        output[m * N + n] = maximum;
      }
    }
    #pragma omp parallel for schedule(static) if(1680 < M * N)
    for (int64_t m = 0; m < M - 3; m++) {
      for (int64_t n = 0; n < min_i64(N, 1); n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, eroded[(m + i / 3) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        output[(m + 1) * N + n] = maximum;
      }
      for (int64_t n = 0; n < N - 2; n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, eroded[(m + i / 3) * N + n + i % 3]);
        }
        output[(m + 1) * N + n + 1] = maximum;
      }
      for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, eroded[(m + i / 3) * N + min_i64(N - 1, n + i % 3 + max_i64(N - 1, 1) - 1)]);
        }
        output[(m + 1) * N + n + max_i64(N - 1, 1)] = maximum;
      }
    }
    for (int64_t m = 0; m < min_i64(max_i64(0, M - 1), 2); m++) {
      for (int64_t n = 0; n < N; n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, eroded[min_i64(M - 1, m + i / 3 + max_i64(M - 2, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
        }
        output[(m + max_i64(M - 2, 1)) * N + n] = maximum;
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(eroded);
  return status;
}
