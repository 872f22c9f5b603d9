// floyd_warshall(direct: N.N.f32) -> N.N.f32 for all N
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

int floyd_warshall(int64_t N, const float *restrict direct, float *restrict output) {
  int status = 0;
  float *const ways = allocate(N * N, sizeof(float));
  if (ways != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < N; i_x++) {
      for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
        ways[i_x * N + i_x_1] = fabsf(direct[i_x * N + i_x_1]);
      }
    }
    for (int64_t i_k = 0; i_k < N; i_k++) {
      float *const next = allocate(N * N, sizeof(float));
      if (next != NULL) {
        for (int64_t i_row_1 = 0; i_row_1 < N; i_row_1++) {
          for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
            next[i_row_1 * N + i_p_1] = min_f32(ways[i_row_1 * N + i_p_1], ways[i_row_1 * N + i_k] + ways[i_k * N + i_p_1]);
          }
        }
        for (int64_t i_copy = 0; i_copy < N; i_copy++) {
          for (int64_t i_copy_1 = 0; i_copy_1 < N; i_copy_1++) {
            ways[i_copy * N + i_copy_1] = next[i_copy * N + i_copy_1];
          }
        }
      } else {
        report(&status, 2);
      }
      free(next);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_2 = 0; i_x_2 < N; i_x_2++) {
      for (int64_t i_x_3 = 0; i_x_3 < N; i_x_3++) {
        output[i_x_2 * N + i_x_3] = ways[i_x_2 * N + i_x_3];
      }
    }
  } else {
    report(&status, 1);
  }
  free(ways);
  return status;
}
