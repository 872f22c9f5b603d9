// integral_image(image: M.N.i32) -> M.N.i32 for all M, N
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

int integral_image(int64_t M, int64_t N, const int32_t *restrict image, int32_t *restrict output) {
  int status = 0;
  int32_t *const sums_from_image = allocate(M * N, sizeof(int32_t));
  if (sums_from_image != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < (6 * N + 1) * M)
    for (int64_t m = 0; m < M; m++) {
      int32_t sum;
      sum = 0;
      for (int64_t n = 0; n < N; n++) {
        sum = sum + image[m * N + n];
        sums_from_image[m * N + n] = sum;
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < (6 * M + 1) * N)
    for (int64_t n_block = 0; n_block < 4 * (N / 1024); n_block++) {
      _Alignas(64) int32_t sums_of_n_block[256];
      for (int64_t n = 0; n < 256; n++) {
        sums_of_n_block[n] = 0;
      }
      for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < 256; n++) {
          const int64_t at_n_m = m * N + n_block * 256 + n;
          sums_of_n_block[n] = sums_of_n_block[n] + sums_from_image[at_n_m];
          output[at_n_m] = sums_of_n_block[n];
        }
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < (6 * M + 1) * N)
    for (int64_t n_block = 0; n_block < N / 128 - 8 * (N / 1024); n_block++) {
      _Alignas(64) int32_t sums[128];
      for (int64_t n = 0; n < 128; n++) {
        sums[n] = 0;
      }
      for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < 128; n++) {
          const int64_t at_n_m = m * N + n_block * 128 + n + 1024 * (N / 1024);
          sums[n] = sums[n] + sums_from_image[at_n_m];
          output[at_n_m] = sums[n];
        }
      }
    }
    if (128 * (N / 128) < N) {
      _Alignas(64) int32_t sums[128];
      for (int64_t n = 0; n < N % 128; n++) {
        sums[n] = 0;
      }
      for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < N % 128; n++) {
          const int64_t at_m_n = m * N + n + 128 * (N / 128);
          sums[n] = sums[n] + sums_from_image[at_m_n];
          output[at_m_n] = sums[n];
        }
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(sums_from_image);
  return status;
}
