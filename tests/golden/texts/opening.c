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
  uint8_t *const stored = allocate((3 * M + 6) * N, sizeof(uint8_t));
  uint8_t *const stored_1 = allocate((N + 2) * M, sizeof(uint8_t));
  if (stored != NULL && stored_1 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < M; i_x++) {
      uint8_t *const stored_2 = allocate(N, sizeof(uint8_t));
      if (stored_2 != NULL) {
        for (int64_t i_w = 0; i_w < min_i64(N, 1); i_w++) {
          uint8_t x;
          x = 255;
          #pragma GCC unroll 9
          for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
            x = min_u8(x, image[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N + min_i64(N - 1, max_i64(i_w + i_x_1 % 3, 1) - 1)]);
          }
          stored_2[i_w] = x;
        }
        for (int64_t i_w = 0; i_w < N - 2; i_w++) {
          uint8_t x;
          x = 255;
          #pragma GCC unroll 9
          for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
            x = min_u8(x, image[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N - i_x_1 / 3 * 3 + i_w + i_x_1]);
          }
          stored_2[i_w + 1] = x;
        }
        for (int64_t i_w = 0; i_w < min_i64(max_i64(0, N - 1), 1); i_w++) {
          uint8_t x;
          x = 255;
          #pragma GCC unroll 9
          for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
            x = min_u8(x, image[min_i64(M - 1, max_i64(i_x + i_x_1 / 3, 1) - 1) * N + min_i64(N - 1, i_w + i_x_1 % 3 + max_i64(N - 1, 1) - 1)]);
          }
          stored_2[i_w + max_i64(N - 1, 1)] = x;
        }
        for (int64_t i_x_2 = 0; i_x_2 < 1; i_x_2++) {
          stored_1[i_x * N + i_x * 2 + i_x_2] = 0 < N ? stored_2[min_i64(0, N - 1)] : 0;
        }
        for (int64_t i_x_2 = 0; i_x_2 < N; i_x_2++) {
          stored_1[i_x * N + i_x * 2 + i_x_2 + 1] = 0 < N ? stored_2[i_x_2] : 0;
        }
        for (int64_t i_x_2 = 0; i_x_2 < 1; i_x_2++) {
          stored_1[(i_x + 1) * N + i_x * 2 + i_x_2 + 1] = 0 < N ? stored_2[N - 1] : 0;
        }
      } else {
        report(&status, 2);
      }
      free(stored_2);
    }
    for (int64_t i_x_3 = 0; i_x_3 < 1; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
        for (int64_t i_x_5 = 0; i_x_5 < 3; i_x_5++) {
          stored[i_x_3 * 3 * N + i_x_4 * 3 + i_x_5] = 0 < M ? stored_1[i_x_4 + i_x_5 + (N + 2) * min_i64(0, M - 1)] : 0;
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_3 = 0; i_x_3 < M; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
        for (int64_t i_x_5 = 0; i_x_5 < 3; i_x_5++) {
          stored[(i_x_3 * 3 + 3) * N + i_x_4 * 3 + i_x_5] = 0 < M ? stored_1[i_x_3 * N + i_x_3 * 2 + i_x_4 + i_x_5] : 0;
        }
      }
    }
    for (int64_t i_x_3 = 0; i_x_3 < 1; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
        for (int64_t i_x_5 = 0; i_x_5 < 3; i_x_5++) {
          stored[(i_x_3 * 3 + 3 * M + 3) * N + i_x_4 * 3 + i_x_5] = 0 < M ? stored_1[i_x_4 + i_x_5 + (N + 2) * M - N - 2] : 0;
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_6 = 0; i_x_6 < M; i_x_6++) {
      for (int64_t i_w_1 = 0; i_w_1 < N; i_w_1++) {
        uint8_t x_1;
        x_1 = 0;
        #pragma GCC unroll 9
        for (int64_t i_x_7 = 0; i_x_7 < 9; i_x_7++) {
          x_1 = max_u8(x_1, stored[(i_x_6 * 3 + i_x_7 / 3 * 3) * N + i_w_1 * 3 + i_x_7 % 3]);
        }
        output[i_x_6 * N + i_w_1] = x_1;
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored_1);
  free(stored);
  return status;
}
