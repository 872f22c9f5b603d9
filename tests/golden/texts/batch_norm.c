// batch_norm(learnt: N.(f32, f32), batch: B.N.f32) -> B.N.f32 for all N, B
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

int batch_norm(
    int64_t N,
    int64_t B,
    const float *restrict learnt_1,
    const float *restrict learnt_2,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  int32_t x;
  int32_t *const stored = allocate(B / 2048, sizeof(int32_t));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < B / 2048; i++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t j = 0; j < 32; j++) {
        acc[j] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t j = 0; j < 32; j++) {
          acc[j] = acc[j] + 1;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t j = 0; j < 32; j++) {
        x_1 = x_1 + acc[j];
      }
      stored[i] = x_1;
    }
    int32_t x_1;
    x_1 = 0;
    for (int64_t i = 0; i < B / 2048; i++) {
      x_1 = x_1 + stored[i];
    }
    x = x_1;
    for (int64_t i = 0; i < B % 2048; i++) {
      x = x + 1;
    }
    const float sum = (float)x;
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < N / 32; n_block++) {
      _Alignas(64) float x_2[32];
      _Alignas(64) float middle_kept[32];
      _Alignas(64) float acc[32];
      _Alignas(64) float deviation_kept[32];
      for (int64_t n = 0; n < 32; n++) {
        x_2[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 32; n++) {
          x_2[n] = x_2[n] + batch[b * N + n_block * 32 + n];
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        const float middle = x_2[n] / sum;
        middle_kept[n] = middle;
        acc[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 32; n++) {
          const float d = batch[b * N + n_block * 32 + n] - middle_kept[n];
          acc[n] = acc[n] + d * d;
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        const float deviation = sqrtf(acc[n] / sum + 1e-05f);
        deviation_kept[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        #pragma omp simd
        for (int64_t n = 0; n < 32; n++) {
          const float x_3 = learnt_1[n_block * 32 + n] * ((batch[b * N + n_block * 32 + n] - middle_kept[n]) / deviation_kept[n]) + learnt_2[n_block * 32 + n];
          output[b * N + n_block * 32 + n] = x_3;
        }
      }
    }
    for (int64_t n = 0; n < N % 32; n++) {
      float x_2;
      x_2 = 0.0f;
      for (int64_t b = 0; b < B; b++) {
        x_2 = x_2 + batch[b * N + n + 32 * (N / 32)];
      }
      const float middle = x_2 / sum;
      float acc;
      acc = 0.0f;
      for (int64_t b = 0; b < B; b++) {
        const float d = batch[b * N + n + 32 * (N / 32)] - middle;
        acc = acc + d * d;
      }
      const float deviation = sqrtf(acc / sum + 1e-05f);
      for (int64_t b = 0; b < B; b++) {
        const float x_3 = learnt_1[n + 32 * (N / 32)] * ((batch[b * N + n + 32 * (N / 32)] - middle) / deviation) + learnt_2[n + 32 * (N / 32)];
        output[b * N + n + 32 * (N / 32)] = x_3;
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
