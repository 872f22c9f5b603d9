// min_max(xs: N.f32) -> (f32, f32) for all N
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

static inline float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

int min_max(int64_t N, const float *restrict xs, float *restrict output_1, float *restrict output_2) {
  int status = 0;
  float x;
  float *const stored = allocate(N / 2048, sizeof(float));
  float *const stored_1 = allocate(N / 2048, sizeof(float));
  if (stored != NULL && stored_1 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_block = 0; i_block < N / 2048; i_block++) {
      _Alignas(64) float acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = INFINITY;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          acc[i_p] = min_f32(acc[i_p], xs[i_block * 2048 + i_row * 32 + i_p]);
        }
      }
      float x_1;
      x_1 = INFINITY;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = min_f32(x_1, acc[i_x_1]);
      }
      stored[i_block] = x_1;
    }
    float x_2;
    x_2 = INFINITY;
    for (int64_t i_x_2 = 0; i_x_2 < N / 2048; i_x_2++) {
      x_2 = min_f32(x_2, stored[i_x_2]);
    }
    x = x_2;
    for (int64_t i_x_3 = 0; i_x_3 < N % 2048; i_x_3++) {
      x = min_f32(x, xs[i_x_3 + 2048 * (N / 2048)]);
    }
    float x_3;
    #pragma omp parallel for schedule(static)
    for (int64_t i_block_1 = 0; i_block_1 < N / 2048; i_block_1++) {
      _Alignas(64) float acc_1[32];
      for (int64_t i_x_4 = 0; i_x_4 < 32; i_x_4++) {
        acc_1[i_x_4] = -INFINITY;
      }
      for (int64_t i_row_1 = 0; i_row_1 < 64; i_row_1++) {
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          acc_1[i_p_1] = max_f32(acc_1[i_p_1], xs[i_block_1 * 2048 + i_row_1 * 32 + i_p_1]);
        }
      }
      float x_4;
      x_4 = -INFINITY;
      for (int64_t i_x_5 = 0; i_x_5 < 32; i_x_5++) {
        x_4 = max_f32(x_4, acc_1[i_x_5]);
      }
      stored_1[i_block_1] = x_4;
    }
    float x_5;
    x_5 = -INFINITY;
    for (int64_t i_x_6 = 0; i_x_6 < N / 2048; i_x_6++) {
      x_5 = max_f32(x_5, stored_1[i_x_6]);
    }
    x_3 = x_5;
    for (int64_t i_x_7 = 0; i_x_7 < N % 2048; i_x_7++) {
      x_3 = max_f32(x_3, xs[i_x_7 + 2048 * (N / 2048)]);
    }
    output_1[0] = x;
    output_2[0] = x_3;
  } else {
    report(&status, 1);
  }
  free(stored_1);
  free(stored);
  return status;
}
