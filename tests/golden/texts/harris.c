// harris(image: (M + 4).(N + 4).f32) -> M.N.f32 for all M, N where N >= 1, M >= 1
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

int harris(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  int status = 0;
  _Alignas(64) static const float constants[9] = {-1.0f, 0.0f, 1.0f, -2.0f, 0.0f, 2.0f, -1.0f, 0.0f, 1.0f};
  _Alignas(64) static const float constants_1[9] = {-1.0f, -2.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 1.0f};
  float *const gradient_1st = allocate((N + 2) * M + 2 * N + 4, sizeof(float));
  float *const gradient_2nd = allocate((N + 2) * M + 2 * N + 4, sizeof(float));
  float *const products_for_sums_1st = allocate((3 * M + 6) * N, sizeof(float));
  float *const products_for_sums_2nd = allocate((3 * M + 6) * N, sizeof(float));
  float *const products_for_xySum = allocate((3 * M + 6) * N, sizeof(float));
  if (gradient_1st != NULL && gradient_2nd != NULL && products_for_sums_1st != NULL && products_for_sums_2nd != NULL && products_for_xySum != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < (114 * N + 228) * M + 228 * N)
    for (int64_t m = 0; m < M + 2; m++) {
      #pragma omp simd
      for (int64_t n = 0; n < N + 2; n++) {
        float gradient_1st_of_n;
        gradient_1st_of_n = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          gradient_1st_of_n = gradient_1st_of_n + constants[i] * image[(m + i / 3) * N + m * 4 + n + i / 3 + i];
        }
        float gradient_2nd_of_n;
        gradient_2nd_of_n = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          gradient_2nd_of_n = gradient_2nd_of_n + constants_1[i] * image[(m + i / 3) * N + m * 4 + n + i / 3 + i];
        }
        const int64_t at_m_n = m * N + m * 2 + n;
        gradient_1st[at_m_n] = gradient_1st_of_n;
        gradient_2nd[at_m_n] = gradient_2nd_of_n;
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < (10 * N + 8) * M + 20 * N)
    for (int64_t m = 0; m < M + 2; m++) {
      _Alignas(64) float products_for_sums_1st_of_m_near[1024];
      float *const products_for_sums_1st_of_m = N + 2 <= 1024 ? products_for_sums_1st_of_m_near : allocate(N + 2, sizeof(float));
      if (products_for_sums_1st_of_m != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          const int64_t at_m_n = m * N + m * 2 + n;
          products_for_sums_1st_of_m[n] = gradient_1st[at_m_n] * gradient_1st[at_m_n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            products_for_sums_1st[m * 3 * N + n * 3 + n_1] = products_for_sums_1st_of_m[n + n_1];
          }
        }
      } else {
        report(&status, 2);
      }
      if (products_for_sums_1st_of_m != products_for_sums_1st_of_m_near) give_memory(products_for_sums_1st_of_m);
    }
    #pragma omp parallel for schedule(static) if(65535 < (10 * N + 8) * M + 20 * N)
    for (int64_t m = 0; m < M + 2; m++) {
      _Alignas(64) float products_for_sums_2nd_of_m_near[1024];
      float *const products_for_sums_2nd_of_m = N + 2 <= 1024 ? products_for_sums_2nd_of_m_near : allocate(N + 2, sizeof(float));
      if (products_for_sums_2nd_of_m != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          const int64_t at_m_n = m * N + m * 2 + n;
          products_for_sums_2nd_of_m[n] = gradient_2nd[at_m_n] * gradient_2nd[at_m_n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            products_for_sums_2nd[m * 3 * N + n * 3 + n_1] = products_for_sums_2nd_of_m[n + n_1];
          }
        }
      } else {
        report(&status, 3);
      }
      if (products_for_sums_2nd_of_m != products_for_sums_2nd_of_m_near) give_memory(products_for_sums_2nd_of_m);
    }
    #pragma omp parallel for schedule(static) if(65535 < (10 * N + 8) * M + 20 * N)
    for (int64_t m = 0; m < M + 2; m++) {
      _Alignas(64) float products_for_xySum_of_m_near[1024];
      float *const products_for_xySum_of_m = N + 2 <= 1024 ? products_for_xySum_of_m_near : allocate(N + 2, sizeof(float));
      if (products_for_xySum_of_m != NULL) {
        for (int64_t n = 0; n < N + 2; n++) {
          const int64_t at_m_n = m * N + m * 2 + n;
          products_for_xySum_of_m[n] = gradient_1st[at_m_n] * gradient_2nd[at_m_n];
        }
        for (int64_t n = 0; n < N; n++) {
          for (int64_t n_1 = 0; n_1 < 3; n_1++) {
            products_for_xySum[m * 3 * N + n * 3 + n_1] = products_for_xySum_of_m[n + n_1];
          }
        }
      } else {
        report(&status, 4);
      }
      if (products_for_xySum_of_m != products_for_xySum_of_m_near) give_memory(products_for_xySum_of_m);
    }
    #pragma omp parallel for schedule(static) if(520 < M * N)
    for (int64_t m = 0; m < M; m++) {
      for (int64_t n = 0; n < N; n++) {
        float sums_1st;
        sums_1st = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          sums_1st = sums_1st + products_for_sums_1st[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        float sums_2nd;
        sums_2nd = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          sums_2nd = sums_2nd + products_for_sums_2nd[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        const float trace = sums_1st + sums_2nd;
        float xySum;
        xySum = 0.0f;
        #pragma GCC unroll 9
        for (int64_t i = 0; i < 9; i++) {
          xySum = xySum + products_for_xySum[(m * 3 + i / 3 * 3) * N + n * 3 + i % 3];
        }
        output[m * N + n] = sums_1st * sums_2nd - xySum * xySum - 0.04f * (trace * trace);
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(products_for_xySum);
  give_memory(products_for_sums_2nd);
  give_memory(products_for_sums_1st);
  give_memory(gradient_2nd);
  give_memory(gradient_1st);
  return status;
}
