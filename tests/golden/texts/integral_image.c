// integral_image(image: M.N.i32) -> M.N.i32 for all M, N
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

int integral_image(int64_t M, int64_t N, const int32_t *restrict image, int32_t *restrict output) {
  int status = 0;
  int32_t *const stored = allocate(M * N, sizeof(int32_t));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < M; i_x++) {
      int32_t x;
      x = 0;
      for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
        x = x + image[i_x * N + i_x_1];
        stored[i_x * N + i_x_1] = x;
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_2_block = 0; i_x_2_block < N / 32; i_x_2_block++) {
      _Alignas(64) int32_t x_1[32];
      for (int64_t i_x_2 = 0; i_x_2 < 32; i_x_2++) {
        x_1[i_x_2] = 0;
      }
      for (int64_t i_x_3 = 0; i_x_3 < M; i_x_3++) {
        for (int64_t i_x_2 = 0; i_x_2 < 32; i_x_2++) {
          x_1[i_x_2] = x_1[i_x_2] + stored[i_x_3 * N + i_x_2_block * 32 + i_x_2];
          output[i_x_3 * N + i_x_2_block * 32 + i_x_2] = x_1[i_x_2];
        }
      }
    }
    for (int64_t i_x_2 = 0; i_x_2 < N % 32; i_x_2++) {
      int32_t x_1;
      x_1 = 0;
      for (int64_t i_x_3 = 0; i_x_3 < M; i_x_3++) {
        x_1 = x_1 + stored[i_x_3 * N + i_x_2 + 32 * (N / 32)];
        output[i_x_3 * N + i_x_2 + 32 * (N / 32)] = x_1;
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
