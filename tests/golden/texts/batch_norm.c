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
    for (int64_t i_block = 0; i_block < B / 2048; i_block++) {
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
    for (int64_t i_x_2 = 0; i_x_2 < B / 2048; i_x_2++) {
      x_2 = x_2 + stored[i_x_2];
    }
    x = x_2;
    for (int64_t i_x_3 = 0; i_x_3 < B % 2048; i_x_3++) {
      x = x + 1;
    }
    const float sum = (float)x;
    #pragma omp parallel for schedule(static)
    for (int64_t i_p_1_block = 0; i_p_1_block < N / 32; i_p_1_block++) {
      _Alignas(64) float x_3[32];
      _Alignas(64) float middle_kept[32];
      _Alignas(64) float acc_1[32];
      _Alignas(64) float deviation_kept[32];
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        x_3[i_p_1] = 0.0f;
      }
      for (int64_t i_x_4 = 0; i_x_4 < B; i_x_4++) {
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          x_3[i_p_1] = x_3[i_p_1] + batch[i_x_4 * N + i_p_1_block * 32 + i_p_1];
        }
      }
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        const float middle = x_3[i_p_1] / sum;
        middle_kept[i_p_1] = middle;
        acc_1[i_p_1] = 0.0f;
      }
      for (int64_t i_x_5 = 0; i_x_5 < B; i_x_5++) {
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          const float d = batch[i_x_5 * N + i_p_1_block * 32 + i_p_1] - middle_kept[i_p_1];
          acc_1[i_p_1] = acc_1[i_p_1] + d * d;
        }
      }
      for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
        const float deviation = sqrtf(acc_1[i_p_1] / sum + 1e-05f);
        deviation_kept[i_p_1] = deviation;
      }
      for (int64_t i_x_6 = 0; i_x_6 < B; i_x_6++) {
        #pragma omp simd
        for (int64_t i_p_1 = 0; i_p_1 < 32; i_p_1++) {
          const float x_4 = learnt_1[i_p_1_block * 32 + i_p_1] * ((batch[i_x_6 * N + i_p_1_block * 32 + i_p_1] - middle_kept[i_p_1]) / deviation_kept[i_p_1]) + learnt_2[i_p_1_block * 32 + i_p_1];
          output[i_x_6 * N + i_p_1_block * 32 + i_p_1] = x_4;
        }
      }
    }
    for (int64_t i_p_1 = 0; i_p_1 < N % 32; i_p_1++) {
      float x_3;
      x_3 = 0.0f;
      for (int64_t i_x_4 = 0; i_x_4 < B; i_x_4++) {
        x_3 = x_3 + batch[i_x_4 * N + i_p_1 + 32 * (N / 32)];
      }
      const float middle = x_3 / sum;
      float acc_1;
      acc_1 = 0.0f;
      for (int64_t i_x_5 = 0; i_x_5 < B; i_x_5++) {
        const float d = batch[i_x_5 * N + i_p_1 + 32 * (N / 32)] - middle;
        acc_1 = acc_1 + d * d;
      }
      const float deviation = sqrtf(acc_1 / sum + 1e-05f);
      for (int64_t i_x_6 = 0; i_x_6 < B; i_x_6++) {
        const float x_4 = learnt_1[i_p_1 + 32 * (N / 32)] * ((batch[i_x_6 * N + i_p_1 + 32 * (N / 32)] - middle) / deviation) + learnt_2[i_p_1 + 32 * (N / 32)];
        output[i_x_6 * N + i_p_1 + 32 * (N / 32)] = x_4;
      }
    }
  } else {
    report(&status, 1);
  }
  free(stored);
  return status;
}
