// running_max(xs: N.f32) -> N.f32 for all N
#include <math.h>
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

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int running_max(int64_t N, const float *restrict xs, float *restrict output) {
  int status = 0;
  float *const packed = allocate(N / 16384, sizeof(float));
  float *const stored = allocate(N / 16384, sizeof(float));
  if (packed != NULL && stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = -INFINITY;
      }
      for (int64_t n_tile = 0; n_tile < 512; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_f32(acc[n], xs[n_block * 16384 + n_tile * 32 + n]);
        }
      }
      float x;
      x = -INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        x = max_f32(x, acc[n]);
      }
      packed[n_block] = x;
    }
    float x;
    x = -INFINITY;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      x = max_f32(x, packed[n_block]);
      stored[n_block] = x;
    }
    for (int64_t n_block = 0; n_block < min_i64(N / 16384, 1); n_block++) {
      float x_1;
      x_1 = 0 < n_block ? stored[n_block - 1] : -INFINITY;
      for (int64_t n = 0; n < 16384; n++) {
        x_1 = max_f32(x_1, xs[n_block * 16384 + n]);
        output[n_block * 16384 + n] = x_1;
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < N / 16384 - 1; n_block++) {
      float x_1;
      x_1 = stored[n_block];
      for (int64_t n = 0; n < 16384; n++) {
        x_1 = max_f32(x_1, xs[n_block * 16384 + n + 16384]);
        output[n_block * 16384 + n + 16384] = x_1;
      }
    }
    float x_1;
    float x_2;
    x_2 = -INFINITY;
    for (int64_t n_block = 0; n_block < N / 16384; n_block++) {
      x_2 = max_f32(x_2, packed[n_block]);
    }
    x_1 = x_2;
    for (int64_t n = 0; n < N % 16384; n++) {
      x_1 = max_f32(x_1, xs[n + 16384 * (N / 16384)]);
      output[n + 16384 * (N / 16384)] = x_1;
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  free(packed);
  return status;
}
