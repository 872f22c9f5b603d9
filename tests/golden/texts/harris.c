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
  float *const stored_2 = allocate((3 * M + 6) * N, sizeof(float));
  float *const stored_4 = allocate((3 * M + 6) * N, sizeof(float));
  if (gradient != NULL && gradient_1 != NULL && stored != NULL && stored_2 != NULL && stored_4 != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_x = 0; i_x < M + 2; i_x++) {
      for (int64_t i_w = 0; i_w < N + 2; i_w++) {
        float acc;
        acc = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i_x_1 = 0; i_x_1 < 9; i_x_1++) {
          const float x_1 = i_x_1 < 4 ? (i_x_1 < 2 ? (i_x_1 < 1 ? -1.0f : 0.0f) : i_x_1 < 3 ? 1.0f : -2.0f) : i_x_1 < 6 ? (i_x_1 < 5 ? 0.0f : 2.0f) : i_x_1 < 7 ? -1.0f : i_x_1 < 8 ? 0.0f : 1.0f;
          acc = acc + x_1 * image[(i_x + i_x_1 / 3) * N + i_x * 4 + i_w + i_x_1 / 3 + i_x_1];
        }
        float acc_1;
        acc_1 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i_x_2 = 0; i_x_2 < 9; i_x_2++) {
          const float x_1_1 = i_x_2 < 4 ? (i_x_2 < 2 ? (i_x_2 < 1 ? -1.0f : -2.0f) : i_x_2 < 3 ? -1.0f : 0.0f) : i_x_2 < 6 ? (i_x_2 < 5 ? 0.0f : 0.0f) : i_x_2 < 7 ? 1.0f : i_x_2 < 8 ? 2.0f : 1.0f;
          acc_1 = acc_1 + x_1_1 * image[(i_x + i_x_2 / 3) * N + i_x * 4 + i_w + i_x_2 / 3 + i_x_2];
        }
        gradient[i_x * N + i_x * 2 + i_w] = acc;
        gradient_1[i_x * N + i_x * 2 + i_w] = acc_1;
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_3 = 0; i_x_3 < M + 2; i_x_3++) {
      float *const stored_1 = allocate(N + 2, sizeof(float));
      if (stored_1 != NULL) {
        for (int64_t i_p = 0; i_p < N + 2; i_p++) {
          stored_1[i_p] = gradient[i_x_3 * N + i_x_3 * 2 + i_p] * gradient[i_x_3 * N + i_x_3 * 2 + i_p];
        }
        for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
          for (int64_t i_x_5 = 0; i_x_5 < 3; i_x_5++) {
            stored[i_x_3 * 3 * N + i_x_4 * 3 + i_x_5] = stored_1[i_x_4 + i_x_5];
          }
        }
      } else {
        report(&status, 2);
      }
      free(stored_1);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_6 = 0; i_x_6 < M + 2; i_x_6++) {
      float *const stored_3 = allocate(N + 2, sizeof(float));
      if (stored_3 != NULL) {
        for (int64_t i_p_1 = 0; i_p_1 < N + 2; i_p_1++) {
          stored_3[i_p_1] = gradient_1[i_x_6 * N + i_x_6 * 2 + i_p_1] * gradient_1[i_x_6 * N + i_x_6 * 2 + i_p_1];
        }
        for (int64_t i_x_7 = 0; i_x_7 < N; i_x_7++) {
          for (int64_t i_x_8 = 0; i_x_8 < 3; i_x_8++) {
            stored_2[i_x_6 * 3 * N + i_x_7 * 3 + i_x_8] = stored_3[i_x_7 + i_x_8];
          }
        }
      } else {
        report(&status, 3);
      }
      free(stored_3);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_9 = 0; i_x_9 < M + 2; i_x_9++) {
      float *const stored_5 = allocate(N + 2, sizeof(float));
      if (stored_5 != NULL) {
        for (int64_t i_p_2 = 0; i_p_2 < N + 2; i_p_2++) {
          stored_5[i_p_2] = gradient[i_x_9 * N + i_x_9 * 2 + i_p_2] * gradient_1[i_x_9 * N + i_x_9 * 2 + i_p_2];
        }
        for (int64_t i_x_10 = 0; i_x_10 < N; i_x_10++) {
          for (int64_t i_x_11 = 0; i_x_11 < 3; i_x_11++) {
            stored_4[i_x_9 * 3 * N + i_x_10 * 3 + i_x_11] = stored_5[i_x_10 + i_x_11];
          }
        }
      } else {
        report(&status, 4);
      }
      free(stored_5);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_p_3 = 0; i_p_3 < M; i_p_3++) {
      for (int64_t i_p_4 = 0; i_p_4 < N; i_p_4++) {
        float x;
        x = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i_x_12 = 0; i_x_12 < 9; i_x_12++) {
          x = x + stored[(i_p_3 * 3 + i_x_12 / 3 * 3) * N + i_p_4 * 3 + i_x_12 % 3];
        }
        const float sums = x;
        float x_2;
        x_2 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i_x_13 = 0; i_x_13 < 9; i_x_13++) {
          x_2 = x_2 + stored_2[(i_p_3 * 3 + i_x_13 / 3 * 3) * N + i_p_4 * 3 + i_x_13 % 3];
        }
        const float sums_1 = x_2;
        const float trace = sums + sums_1;
        float x_3;
        x_3 = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i_x_14 = 0; i_x_14 < 9; i_x_14++) {
          x_3 = x_3 + stored_4[(i_p_3 * 3 + i_x_14 / 3 * 3) * N + i_p_4 * 3 + i_x_14 % 3];
        }
        const float xySum = x_3;
        output[i_p_3 * N + i_p_4] = sums * sums_1 - xySum * xySum - 0.04f * (trace * trace);
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored_4);
  free(stored_2);
  free(stored);
  free(gradient_1);
  free(gradient);
  return status;
}
