// conjugate_gradient(a: N.N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
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

int conjugate_gradient(
    int64_t N,
    const float *restrict a,
    const float *restrict state_1,
    const float *restrict state_2,
    const float *restrict state_3,
    float *restrict output_1,
    float *restrict output_2,
    float *restrict output_3
) {
  int status = 0;
  float *const images = allocate(N, sizeof(float));
  float *const left = allocate(N, sizeof(float));
  if (images != NULL && left != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_row = 0; i_row < N; i_row++) {
      float x;
      _Alignas(64) float acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0.0f;
      }
      for (int64_t i_row_1 = 0; i_row_1 < N / 32; i_row_1++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          const float p_2 = a[i_row * N + i_row_1 * 32 + i_p] * state_3[i_row_1 * 32 + i_p];
          acc[i_p] = acc[i_p] + p_2;
        }
      }
      float x_1;
      x_1 = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = x_1 + acc[i_x_1];
      }
      x = x_1;
      for (int64_t i_x_2 = 0; i_x_2 < N % 32; i_x_2++) {
        x = x + a[i_row * N + i_x_2 + 32 * (N / 32)] * state_3[i_x_2 + 32 * (N / 32)];
      }
      images[i_row] = x;
    }
    float acc_1;
    acc_1 = 0.0f;
    for (int64_t i_x_3 = 0; i_x_3 < N; i_x_3++) {
      acc_1 = acc_1 + state_2[i_x_3] * state_2[i_x_3];
    }
    const float square = acc_1;
    float acc_2;
    acc_2 = 0.0f;
    for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
      acc_2 = acc_2 + state_3[i_x_4] * images[i_x_4];
    }
    const float length = square / acc_2;
    #pragma omp parallel for schedule(static)
    for (int64_t i_p_1 = 0; i_p_1 < N; i_p_1++) {
      left[i_p_1] = state_2[i_p_1] - length * images[i_p_1];
    }
    float acc_3;
    acc_3 = 0.0f;
    for (int64_t i_x_5 = 0; i_x_5 < N; i_x_5++) {
      acc_3 = acc_3 + left[i_x_5] * left[i_x_5];
    }
    const float kept = acc_3 / square;
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_6 = 0; i_x_6 < (N + 31) / 32; i_x_6++) {
      #pragma omp simd
      for (int64_t i_p_2 = 0; i_p_2 < min_i64(N - i_x_6 * 32, 32); i_p_2++) {
        output_1[i_x_6 * 32 + i_p_2] = state_1[i_x_6 * 32 + i_p_2] + length * state_3[i_x_6 * 32 + i_p_2];
        output_2[i_x_6 * 32 + i_p_2] = left[i_x_6 * 32 + i_p_2];
        output_3[i_x_6 * 32 + i_p_2] = left[i_x_6 * 32 + i_p_2] + kept * state_3[i_x_6 * 32 + i_p_2];
      }
    }
  } else {
    report(&status, 1);
  }
  free(left);
  free(images);
  return status;
}
