// layer_norm(scale: N.f32, shift: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
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

int layer_norm(
    int64_t N,
    int64_t B,
    const float *restrict scale,
    const float *restrict shift,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  int32_t x;
  int32_t *const stored = allocate(N / 2048, sizeof(int32_t));
  if (stored != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < N / 2048; i++) {
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
    for (int64_t i = 0; i < N / 2048; i++) {
      x_1 = x_1 + stored[i];
    }
    x = x_1;
    for (int64_t i = 0; i < N % 2048; i++) {
      x = x + 1;
    }
    const float sum = (float)x;
    #pragma omp parallel for schedule(static)
    for (int64_t b = 0; b < B; b++) {
      float x_2;
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = 0.0f;
      }
      for (int64_t n_block = 0; n_block < N / 32; n_block++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = acc[n] + batch[b * N + n_block * 32 + n];
        }
      }
      float x_3;
      x_3 = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        x_3 = x_3 + acc[n];
      }
      x_2 = x_3;
      for (int64_t n = 0; n < N % 32; n++) {
        x_2 = x_2 + batch[b * N + n + 32 * (N / 32)];
      }
      const float middle = x_2 / sum;
      float *const centred = allocate(N, sizeof(float));
      if (centred != NULL) {
        for (int64_t n = 0; n < N; n++) {
          centred[n] = batch[b * N + n] - middle;
        }
        float x_4;
        _Alignas(64) float acc_1[32];
        for (int64_t n = 0; n < 32; n++) {
          acc_1[n] = 0.0f;
        }
        for (int64_t n_block = 0; n_block < N / 32; n_block++) {
          for (int64_t n = 0; n < 32; n++) {
            const float d = centred[n_block * 32 + n];
            const float p = d * d;
            acc_1[n] = acc_1[n] + p;
          }
        }
        float x_5;
        x_5 = 0.0f;
        for (int64_t n = 0; n < 32; n++) {
          x_5 = x_5 + acc_1[n];
        }
        x_4 = x_5;
        for (int64_t n = 0; n < N % 32; n++) {
          const float d = centred[n + 32 * (N / 32)];
          x_4 = x_4 + d * d;
        }
        const float deviation = sqrtf(x_4 / sum + 1e-05f);
        for (int64_t n_block = 0; n_block < N / 32; n_block++) {
          __builtin_prefetch(&batch[(b + 1) * N + n_block * 32]);
          __builtin_prefetch(&batch[(b + 1) * N + n_block * 32 + 16]);
          for (int64_t n = 0; n < 32; n++) {
            const float p = centred[n_block * 32 + n] / deviation;
            output[b * N + n_block * 32 + n] = scale[n_block * 32 + n] * p + shift[n_block * 32 + n];
          }
        }
        for (int64_t n = 0; n < N % 32; n++) {
          const float p = centred[n + 32 * (N / 32)] / deviation;
          output[b * N + n + 32 * (N / 32)] = scale[n + 32 * (N / 32)] * p + shift[n + 32 * (N / 32)];
        }
      } else {
        report(&status, 2);
      }
      free(centred);
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
