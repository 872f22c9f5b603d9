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
    const float *restrict state_1st,
    const float *restrict state_2nd,
    const float *restrict state_3rd,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  int status = 0;
  float *const images = allocate(N, sizeof(float));
  float *const left = allocate(N, sizeof(float));
  if (images != NULL && left != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      float images_of_n;
      _Alignas(64) float acc[32];
      for (int64_t n_column = 0; n_column < 32; n_column++) {
        acc[n_column] = 0.0f;
      }
      for (int64_t n_column_step = 0; n_column_step < N / 32; n_column_step++) {
        for (int64_t n_column = 0; n_column < 32; n_column++) {
          acc[n_column] = acc[n_column] + a[n * N + n_column_step * 32 + n_column] * state_3rd[n_column_step * 32 + n_column];
        }
      }
      float images_of_n_1;
      images_of_n_1 = 0.0f;
      for (int64_t n_column = 0; n_column < 32; n_column++) {
        images_of_n_1 = images_of_n_1 + acc[n_column];
      }
      images_of_n = images_of_n_1;
      for (int64_t n_column = 0; n_column < N % 32; n_column++) {
        images_of_n = images_of_n + a[n * N + n_column + 32 * (N / 32)] * state_3rd[n_column + 32 * (N / 32)];
      }
      images[n] = images_of_n;
    }
    float acc_for_square;
    acc_for_square = 0.0f;
    for (int64_t n = 0; n < N; n++) {
      acc_for_square = acc_for_square + state_2nd[n] * state_2nd[n];
    }
    float acc_for_length;
    acc_for_length = 0.0f;
    for (int64_t n = 0; n < N; n++) {
      acc_for_length = acc_for_length + state_3rd[n] * images[n];
    }
    const float length = acc_for_square / acc_for_length;
    #pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
      left[n] = state_2nd[n] - length * images[n];
    }
    float acc_for_kept;
    acc_for_kept = 0.0f;
    for (int64_t n = 0; n < N; n++) {
      acc_for_kept = acc_for_kept + left[n] * left[n];
    }
    const float kept = acc_for_kept / acc_for_square;
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
      #pragma omp simd
      for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
        const int64_t at_n = n_block * 32 + n;
        output_1st[at_n] = state_1st[at_n] + length * state_3rd[at_n];
        output_2nd[at_n] = left[at_n];
        output_3rd[at_n] = left[at_n] + kept * state_3rd[at_n];
      }
    }
  } else {
    report(&status, 1);
  }
  free(left);
  free(images);
  return status;
}
