// opening(image: M.N.u8) -> M.N.u8 for all M, N where N >= 1, M >= 1
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline uint8_t min_u8(uint8_t a, uint8_t b) { return a <= b ? a : b; }

static inline uint8_t max_u8(uint8_t a, uint8_t b) { return a >= b ? a : b; }

int opening(int64_t M, int64_t N, const uint8_t *restrict image, uint8_t *restrict output) {
  int status = 0;
  uint8_t *const minima = allocate((3 * M + 6) * N, sizeof(uint8_t));
  uint8_t *const minima_1 = allocate((N + 2) * M, sizeof(uint8_t));
  if (minima != NULL && minima_1 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; m++) {
      uint8_t *const minima_of_m = allocate(N, sizeof(uint8_t));
      if (minima_of_m != NULL) {
        for (int64_t n = 0; n < min_i64(N, 1); n++) {
          uint8_t minimum;
          minimum = 255;
          #pragma GCC unroll 9
          for (int64_t i = 0; i < 9; i++) {
            minimum = min_u8(minimum, image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, max_i64(n + i % 3, 1) - 1)]);
          }
          minima_of_m[n] = minimum;
        }
        for (int64_t n = 0; n < N - 2; n++) {
          uint8_t minimum;
          minimum = 255;
          #pragma GCC unroll 9
          for (int64_t i = 0; i < 9; i++) {
            minimum = min_u8(minimum, image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N - i / 3 * 3 + n + i]);
          }
          minima_of_m[n + 1] = minimum;
        }
        for (int64_t n = 0; n < min_i64(max_i64(0, N - 1), 1); n++) {
          uint8_t minimum;
          minimum = 255;
          #pragma GCC unroll 9
          for (int64_t i = 0; i < 9; i++) {
            minimum = min_u8(minimum, image[min_i64(M - 1, max_i64(m + i / 3, 1) - 1) * N + min_i64(N - 1, n + i % 3 + max_i64(N - 1, 1) - 1)]);
          }
          minima_of_m[n + max_i64(N - 1, 1)] = minimum;
        }
        for (int64_t n = 0; n < 1; n++) {
          minima_1[m * N + m * 2 + n] = 0 < N ? minima_of_m[min_i64(0, N - 1)] : 0;
        }
        for (int64_t n = 0; n < N; n++) {
          minima_1[m * N + m * 2 + n + 1] = 0 < N ? minima_of_m[n] : 0;
        }
        for (int64_t n = 0; n < 1; n++) {
          minima_1[(m + 1) * N + m * 2 + n + 1] = 0 < N ? minima_of_m[N - 1] : 0;
        }
      } else {
        report(&status, 2);
      }
      free(minima_of_m);
    }
    for (int64_t m = 0; m < 1; m++) {
      for (int64_t n = 0; n < N; n++) {
        for (int64_t n_1 = 0; n_1 < 3; n_1++) {
          minima[m * 3 * N + n * 3 + n_1] = 0 < M ? minima_1[n + n_1 + (N + 2) * min_i64(0, M - 1)] : 0;
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        for (int64_t n_1 = 0; n_1 < 3; n_1++) {
          minima[(m * 3 + 3) * N + n * 3 + n_1] = 0 < M ? minima_1[m * N + m * 2 + n + n_1] : 0;
        }
      }
    }
    for (int64_t m = 0; m < 1; m++) {
      for (int64_t n = 0; n < N; n++) {
        for (int64_t n_1 = 0; n_1 < 3; n_1++) {
          minima[(m * 3 + 3 * M + 3) * N + n * 3 + n_1] = 0 < M ? minima_1[n + n_1 + (N + 2) * M - N - 2] : 0;
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        uint8_t maximum;
        maximum = 0;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          maximum = max_u8(maximum, minima[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3]);
        }
        output[m * N + n] = maximum;
      }
    }
  } else {
    report(&status, 1);
  }
  free(minima_1);
  free(minima);
  return status;
}
