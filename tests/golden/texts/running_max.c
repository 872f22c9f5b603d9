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
    for (int64_t i_part = 0; i_part < N / 16384; i_part++) {
      _Alignas(64) float acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = -INFINITY;
      }
      for (int64_t i_row = 0; i_row < 512; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          acc[i_p] = max_f32(acc[i_p], xs[i_part * 16384 + i_row * 32 + i_p]);
        }
      }
      float x;
      x = -INFINITY;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x = max_f32(x, acc[i_x_1]);
      }
      packed[i_part] = x;
    }
    float x_1;
    x_1 = -INFINITY;
    for (int64_t i_x_2 = 0; i_x_2 < N / 16384; i_x_2++) {
      x_1 = max_f32(x_1, packed[i_x_2]);
      stored[i_x_2] = x_1;
    }
    for (int64_t i_q = 0; i_q < min_i64(N / 16384, 1); i_q++) {
      float x_2;
      x_2 = 0 < i_q ? stored[i_q - 1] : -INFINITY;
      for (int64_t i_x_3 = 0; i_x_3 < 16384; i_x_3++) {
        x_2 = max_f32(x_2, xs[i_q * 16384 + i_x_3]);
        output[i_q * 16384 + i_x_3] = x_2;
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_q = 0; i_q < N / 16384 - 1; i_q++) {
      float x_2;
      x_2 = stored[i_q];
      for (int64_t i_x_3 = 0; i_x_3 < 16384; i_x_3++) {
        x_2 = max_f32(x_2, xs[i_q * 16384 + i_x_3 + 16384]);
        output[i_q * 16384 + i_x_3 + 16384] = x_2;
      }
    }
    float x_3;
    float x_4;
    x_4 = -INFINITY;
    for (int64_t i_x_4 = 0; i_x_4 < N / 16384; i_x_4++) {
      x_4 = max_f32(x_4, packed[i_x_4]);
    }
    x_3 = x_4;
    for (int64_t i_x_5 = 0; i_x_5 < N % 16384; i_x_5++) {
      x_3 = max_f32(x_3, xs[i_x_5 + 16384 * (N / 16384)]);
      output[i_x_5 + 16384 * (N / 16384)] = x_3;
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  free(packed);
  return status;
}
