// harris(image: (M + 4).(N + 4).f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
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

int harris(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  int status = 0;
  float *const gradient = allocate((N + 2) * M + 2 * N + 4, sizeof(float));
  float *const gradient_1 = allocate((N + 2) * M + 2 * N + 4, sizeof(float));
  float *const stored = allocate((3 * M + 6) * N, sizeof(float));
  float *const stored_1 = allocate((3 * M + 6) * N, sizeof(float));
  float *const stored_2 = allocate((3 * M + 6) * N, sizeof(float));
  if (gradient != NULL && gradient_1 != NULL && stored != NULL && stored_1 != NULL && stored_2 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M + 2; m++) {
      for (int64_t n = 0; n < N + 2; n++) {
        float acc;
        acc = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          const float x = i < 4 ? (i < 2 ? (i < 1 ? -1.0f : 0.0f) : i < 3 ? 1.0f : -2.0f) : i < 6 ? (i < 5 ? 0.0f : 2.0f) : i < 7 ? -1.0f : i < 8 ? 0.0f : 1.0f;
          acc = acc + x * image[(m + i / 3) * N + m * 4 + n + i / 3 + i];
        }
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          const float x = i < 4 ? (i < 2 ? (i < 1 ? -1.0f : -2.0f) : i < 3 ? -1.0f : 0.0f) : i < 6 ? (i < 5 ? 0.0f : 0.0f) : i < 7 ? 1.0f : i < 8 ? 2.0f : 1.0f;
          acc_1 = acc_1 + x * image[(m + i / 3) * N + m * 4 + n + i / 3 + i];
        }
        gradient[m * N + m * 2 + n] = acc;
        gradient_1[m * N + m * 2 + n] = acc_1;
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M + 2; m++) {
      float *const stored_3 = allocate(N + 2, sizeof(float));
      if (stored_3 != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          stored_3[n] = gradient[m * N + m * 2 + n] * gradient[m * N + m * 2 + n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            stored[m * 3 * N + n * 3 + n_1] = stored_3[n + n_1];
          }
        }
      } else {
        report(&status, 2);
      }
      free(stored_3);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M + 2; m++) {
      float *const stored_3 = allocate(N + 2, sizeof(float));
      if (stored_3 != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          stored_3[n] = gradient_1[m * N + m * 2 + n] * gradient_1[m * N + m * 2 + n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            stored_1[m * 3 * N + n * 3 + n_1] = stored_3[n + n_1];
          }
        }
      } else {
        report(&status, 3);
      }
      free(stored_3);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M + 2; m++) {
      float *const stored_3 = allocate(N + 2, sizeof(float));
      if (stored_3 != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          stored_3[n] = gradient[m * N + m * 2 + n] * gradient_1[m * N + m * 2 + n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            stored_2[m * 3 * N + n * 3 + n_1] = stored_3[n + n_1];
          }
        }
      } else {
        report(&status, 4);
      }
      free(stored_3);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        float x;
        x = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          x = x + stored[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        const float sums = x;
        float x_1;
        x_1 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          x_1 = x_1 + stored_1[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        const float sums_1 = x_1;
        const float trace = sums + sums_1;
        float x_2;
        x_2 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          x_2 = x_2 + stored_2[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        const float xySum = x_2;
        output[m * N + n] = sums * sums_1 - xySum * xySum - 0.04f * (trace * trace);
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored_2);
  free(stored_1);
  free(stored);
  free(gradient_1);
  free(gradient);
  return status;
}
