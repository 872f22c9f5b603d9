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
    const float *restrict learnt_1st,
    const float *restrict learnt_2nd,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  int32_t count;
  int32_t *const sums_for_sum = allocate(B / 2048, sizeof(int32_t));
  if (sums_for_sum != NULL) {
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
      int32_t sum_from_acc;
      sum_from_acc = 0;
      for (int64_t j = 0; j < 32; j++) {
        sum_from_acc = sum_from_acc + acc[j];
      }
      sums_for_sum[i] = sum_from_acc;
    }
    count = 0;
    for (int64_t i = 0; i < B / 2048; i++) {
      count = count + sums_for_sum[i];
    }
    for (int64_t i = 0; i < B % 2048; i++) {
      count = count + 1;
    }
    const float sum_from_count = (float)count;
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < 4 * (N / 1024); n_block++) {
      _Alignas(64) float sums[256];
      _Alignas(64) float middle_kept[256];
      _Alignas(64) float acc[256];
      _Alignas(64) float deviation_kept[256];
      for (int64_t n = 0; n < 256; n++) {
        sums[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 256; n++) {
          sums[n] = sums[n] + batch[b * N + n_block * 256 + n];
        }
      }
      for (int64_t n = 0; n < 256; n++) {
        const float middle = sums[n] / sum_from_count;
        middle_kept[n] = middle;
        acc[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 256; n++) {
          const float d = batch[b * N + n_block * 256 + n] - middle_kept[n];
          acc[n] = acc[n] + d * d;
        }
      }
      for (int64_t n = 0; n < 256; n++) {
        const float deviation = sqrtf(acc[n] / sum_from_count + 1e-05f);
        deviation_kept[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        #pragma omp simd
        for (int64_t n = 0; n < 256; n++) {
          const int64_t at_n_b = b * N + n_block * 256 + n;
          output[at_n_b] = learnt_1st[n_block * 256 + n] * ((batch[at_n_b] - middle_kept[n]) / deviation_kept[n]) + learnt_2nd[n_block * 256 + n];
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t n_block = 0; n_block < N / 32 - 32 * (N / 1024); n_block++) {
      _Alignas(64) float sums[32];
      _Alignas(64) float middle_kept[32];
      _Alignas(64) float acc[32];
      _Alignas(64) float deviation_kept[32];
      for (int64_t n = 0; n < 32; n++) {
        sums[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 32; n++) {
          sums[n] = sums[n] + batch[b * N + n_block * 32 + n + 1024 * (N / 1024)];
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        const float middle = sums[n] / sum_from_count;
        middle_kept[n] = middle;
        acc[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 32; n++) {
          const float d = batch[b * N + n_block * 32 + n + 1024 * (N / 1024)] - middle_kept[n];
          acc[n] = acc[n] + d * d;
        }
      }
      for (int64_t n = 0; n < 32; n++) {
        const float deviation = sqrtf(acc[n] / sum_from_count + 1e-05f);
        deviation_kept[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        #pragma omp simd
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n = n_block * 32 + n + 1024 * (N / 1024);
          const int64_t at_n_b = b * N + n_block * 32 + n + 1024 * (N / 1024);
          output[at_n_b] = learnt_1st[at_n] * ((batch[at_n_b] - middle_kept[n]) / deviation_kept[n]) + learnt_2nd[at_n];
        }
      }
    }
    for (int64_t n = 0; n < N % 32; n++) {
      float sum_from_batch;
      sum_from_batch = 0.0f;
      for (int64_t b = 0; b < B; b++) {
        sum_from_batch = sum_from_batch + batch[b * N + n + 32 * (N / 32)];
      }
      const float middle = sum_from_batch / sum_from_count;
      float acc;
      acc = 0.0f;
      for (int64_t b = 0; b < B; b++) {
        const float d = batch[b * N + n + 32 * (N / 32)] - middle;
        acc = acc + d * d;
      }
      const float deviation = sqrtf(acc / sum_from_count + 1e-05f);
      for (int64_t b = 0; b < B; b++) {
        const int64_t at_n = n + 32 * (N / 32);
        const int64_t at_n_b = b * N + n + 32 * (N / 32);
        output[at_n_b] = learnt_1st[at_n] * ((batch[at_n_b] - middle) / deviation) + learnt_2nd[at_n];
      }
    }
  } else {
    report(&status, 1);
  }
  free(sums_for_sum);
  return status;
}
