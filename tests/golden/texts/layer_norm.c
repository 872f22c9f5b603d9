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
    for (int64_t i_block = 0; i_block < N / 2048; i_block++) {
      _Alignas(64) int32_t acc[32];
      for (int64_t i_x = 0; i_x < 32; i_x++) {
        acc[i_x] = 0;
      }
      for (int64_t i_row = 0; i_row < 64; i_row++) {
        for (int64_t i_p = 0; i_p < 32; i_p++) {
          acc[i_p] = acc[i_p] + 1;
        }
      }
      int32_t x_1;
      x_1 = 0;
      for (int64_t i_x_1 = 0; i_x_1 < 32; i_x_1++) {
        x_1 = x_1 + acc[i_x_1];
      }
      stored[i_block] = x_1;
    }
    int32_t x_2;
    x_2 = 0;
    for (int64_t i_x_2 = 0; i_x_2 < N / 2048; i_x_2++) {
      x_2 = x_2 + stored[i_x_2];
    }
    x = x_2;
    for (int64_t i_x_3 = 0; i_x_3 < N % 2048; i_x_3++) {
      x = x + 1;
    }
    const float sum = (float)x;
    #pragma omp parallel for schedule(static)
    for (int64_t i_xs = 0; i_xs < B; i_xs++) {
      float x_3;
      _Alignas(64) float acc_1[32];
      for (int64_t i_x_4 = 0; i_x_4 < 32; i_x_4++) {
        acc_1[i_x_4] = 0.0f;
      }
      for (int64_t i_row_1 = 0; i_row_1 < N / 32; i_row_1++) {
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          acc_1[i_p_1] = acc_1[i_p_1] + batch[i_xs * N + i_row_1 * 32 + i_p_1];
        }
      }
      float x_4;
      x_4 = 0.0f;
      for (int64_t i_x_5 = 0; i_x_5 < 32; i_x_5++) {
        x_4 = x_4 + acc_1[i_x_5];
      }
      x_3 = x_4;
      for (int64_t i_x_6 = 0; i_x_6 < N % 32; i_x_6++) {
        x_3 = x_3 + batch[i_xs * N + i_x_6 + 32 * (N / 32)];
      }
      const float middle = x_3 / sum;
      float *const centred = allocate(N, sizeof(float));
      if (centred != NULL) {
        for (int64_t i_x_7 = 0; i_x_7 < N; i_x_7++) {
          centred[i_x_7] = batch[i_xs * N + i_x_7] - middle;
        }
        float x_5;
        _Alignas(64) float acc_2[32];
        for (int64_t i_x_8 = 0; i_x_8 < 32; i_x_8++) {
          acc_2[i_x_8] = 0.0f;
        }
        for (int64_t i_row_2 = 0; i_row_2 < N / 32; i_row_2++) {
          for (int64_t i_p_2 = 0; i_p_2 < 32; i_p_2++) {
            const float d = centred[i_row_2 * 32 + i_p_2];
            const float p_2 = d * d;
            acc_2[i_p_2] = acc_2[i_p_2] + p_2;
          }
        }
        float x_6;
        x_6 = 0.0f;
        for (int64_t i_x_9 = 0; i_x_9 < 32; i_x_9++) {
          x_6 = x_6 + acc_2[i_x_9];
        }
        x_5 = x_6;
        for (int64_t i_x_10 = 0; i_x_10 < N % 32; i_x_10++) {
          const float d_1 = centred[i_x_10 + 32 * (N / 32)];
          x_5 = x_5 + d_1 * d_1;
        }
        const float deviation = sqrtf(x_5 / sum + 1e-05f);
        for (int64_t i_p_3_step = 0; i_p_3_step < N / 32; i_p_3_step++) {
          __builtin_prefetch(&batch[(i_xs + 1) * N + i_p_3_step * 32]);
          __builtin_prefetch(&batch[(i_xs + 1) * N + i_p_3_step * 32 + 16]);
          for (int64_t i_p_3 = 0; i_p_3 < 32; i_p_3++) {
            const float p_2_1 = centred[i_p_3_step * 32 + i_p_3] / deviation;
            output[i_xs * N + i_p_3_step * 32 + i_p_3] = scale[i_p_3_step * 32 + i_p_3] * p_2_1 + shift[i_p_3_step * 32 + i_p_3];
          }
        }
        for (int64_t i_p_3 = 0; i_p_3 < N % 32; i_p_3++) {
          const float p_2_1 = centred[i_p_3 + 32 * (N / 32)] / deviation;
          output[i_xs * N + i_p_3 + 32 * (N / 32)] = scale[i_p_3 + 32 * (N / 32)] * p_2_1 + shift[i_p_3 + 32 * (N / 32)];
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
