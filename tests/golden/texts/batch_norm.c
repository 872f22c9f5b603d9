// batch_norm(learnt: N.(f32, f32), batch: B.N.f32) -> B.N.f32 for all N, B
#include <math.h>
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

int batch_norm(
    int64_t N,
    int64_t B,
    const float *restrict learnt_1st,
    const float *restrict learnt_2nd,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  int32_t *const sums_for_sum_from_sum_of_i = allocate(B / 4096, sizeof(int32_t));
  if (sums_for_sum_from_sum_of_i != NULL) {
    #pragma omp parallel for schedule(static) if(5 < B / 4096)
    for (int64_t i = 0; i < B / 4096; i++) {
      _Alignas(64) int32_t counts_for_sum[32];
      for (int64_t j = 0; j < 32; j++) {
        counts_for_sum[j] = 0;
      }
      for (int64_t i_row = 0; i_row < 128; i_row++) {
        for (int64_t j = 0; j < 32; j++) {
          counts_for_sum[j] = counts_for_sum[j] + 1;
        }
      }
      int32_t sum_of_i;
      sum_of_i = 0;
      for (int64_t j = 0; j < 32; j++) {
        sum_of_i = sum_of_i + counts_for_sum[j];
      }
      sums_for_sum_from_sum_of_i[i] = sum_of_i;
    }
    int32_t sum_from_counts_for_sum;
    sum_from_counts_for_sum = 0;
    for (int64_t i = 0; i < B / 4096; i++) {
      sum_from_counts_for_sum = sum_from_counts_for_sum + sums_for_sum_from_sum_of_i[i];
    }
    _Alignas(64) int32_t sums_for_sum_from_counts[32];
    _Alignas(64) int32_t counts[32];
    for (int64_t i = 0; i < 32; i++) {
      counts[i] = 0;
    }
    for (int64_t i_row = 0; i_row < B / 32 - 128 * (B / 4096); i_row++) {
      for (int64_t i = 0; i < 32; i++) {
        counts[i] = counts[i] + 1;
      }
    }
    for (int64_t i = 0; i < 32; i++) {
      const int32_t p_2nd = i + 32 * (B / 32) < B ? 1 : 0;
      sums_for_sum_from_counts[i] = p_2nd + counts[i];
    }
    int32_t sum_from_counts;
    sum_from_counts = 0;
    for (int64_t i = 0; i < 32; i++) {
      sum_from_counts = sum_from_counts + sums_for_sum_from_counts[i];
    }
    const float sum_from_p_2nd = (float)(sum_from_counts_for_sum + sum_from_counts);
    #pragma omp parallel for schedule(static) if(65535 < (27 * B + 31) * N)
    for (int64_t n_block = 0; n_block < 4 * (N / 1024); n_block++) {
      _Alignas(64) float sums_from_batch[256];
      _Alignas(64) float middle_kept[256];
      _Alignas(64) float sums_from_d[256];
      _Alignas(64) float deviation_kept_of_n_block[256];
      for (int64_t n = 0; n < 256; n++) {
        sums_from_batch[n] = 0.0f;
      }
      for (int64_t b_block = 0; b_block < B / 4; b_block++) {
        for (int64_t n = 0; n < 256; n++) {
          sums_from_batch[n] = sums_from_batch[n] + batch[b_block * 4 * N + n_block * 256 + n];
          sums_from_batch[n] = sums_from_batch[n] + batch[(b_block * 4 + 1) * N + n_block * 256 + n];
          sums_from_batch[n] = sums_from_batch[n] + batch[(b_block * 4 + 2) * N + n_block * 256 + n];
          sums_from_batch[n] = sums_from_batch[n] + batch[(b_block * 4 + 3) * N + n_block * 256 + n];
        }
      }
      for (int64_t b = 0; b < B % 4; b++) {
        for (int64_t n = 0; n < 256; n++) {
          sums_from_batch[n] = sums_from_batch[n] + batch[(b + 4 * (B / 4)) * N + n_block * 256 + n];
        }
      }
      for (int64_t n = 0; n < 256; n++) {
        const float middle = sums_from_batch[n] / sum_from_p_2nd;
        middle_kept[n] = middle;
        sums_from_d[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 256; n++) {
          const float d = batch[b * N + n_block * 256 + n] - middle_kept[n];
          sums_from_d[n] = sums_from_d[n] + d * d;
        }
      }
      for (int64_t n = 0; n < 256; n++) {
        const float deviation = sqrtf(sums_from_d[n] / sum_from_p_2nd + 1e-05f);
        deviation_kept_of_n_block[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        #pragma omp simd
        for (int64_t n = 0; n < 256; n++) {
          const int64_t at_n_b = b * N + n_block * 256 + n;
          output[at_n_b] = learnt_1st[n_block * 256 + n] * ((batch[at_n_b] - middle_kept[n]) / deviation_kept_of_n_block[n]) + learnt_2nd[n_block * 256 + n];
        }
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < (27 * B + 31) * N)
    for (int64_t n_block = 0; n_block < N / 128 - 8 * (N / 1024); n_block++) {
      _Alignas(64) float sums_for_middle[128];
      _Alignas(64) float middle_kept_for_d[128];
      _Alignas(64) float sums_for_deviation[128];
      _Alignas(64) float deviation_kept[128];
      for (int64_t n = 0; n < 128; n++) {
        sums_for_middle[n] = 0.0f;
      }
      for (int64_t b_block = 0; b_block < B / 4; b_block++) {
        for (int64_t n = 0; n < 128; n++) {
          sums_for_middle[n] = sums_for_middle[n] + batch[b_block * 4 * N + n_block * 128 + n + 1024 * (N / 1024)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 1) * N + n_block * 128 + n + 1024 * (N / 1024)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 2) * N + n_block * 128 + n + 1024 * (N / 1024)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 3) * N + n_block * 128 + n + 1024 * (N / 1024)];
        }
      }
      for (int64_t b = 0; b < B % 4; b++) {
        for (int64_t n = 0; n < 128; n++) {
          sums_for_middle[n] = sums_for_middle[n] + batch[(b + 4 * (B / 4)) * N + n_block * 128 + n + 1024 * (N / 1024)];
        }
      }
      for (int64_t n = 0; n < 128; n++) {
        const float middle = sums_for_middle[n] / sum_from_p_2nd;
        middle_kept_for_d[n] = middle;
        sums_for_deviation[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < 128; n++) {
          const float d = batch[b * N + n_block * 128 + n + 1024 * (N / 1024)] - middle_kept_for_d[n];
          sums_for_deviation[n] = sums_for_deviation[n] + d * d;
        }
      }
      for (int64_t n = 0; n < 128; n++) {
        const float deviation = sqrtf(sums_for_deviation[n] / sum_from_p_2nd + 1e-05f);
        deviation_kept[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        #pragma omp simd
        for (int64_t n = 0; n < 128; n++) {
          const int64_t at_n = n_block * 128 + n + 1024 * (N / 1024);
          const int64_t at_n_b = b * N + n_block * 128 + n + 1024 * (N / 1024);
          output[at_n_b] = learnt_1st[at_n] * ((batch[at_n_b] - middle_kept_for_d[n]) / deviation_kept[n]) + learnt_2nd[at_n];
        }
      }
    }
    if (128 * (N / 128) < N) {
      _Alignas(64) float sums_for_middle[128];
      _Alignas(64) float middle_kept_for_d[128];
      _Alignas(64) float sums_for_deviation[128];
      _Alignas(64) float deviation_kept[128];
      for (int64_t n = 0; n < N % 128; n++) {
        sums_for_middle[n] = 0.0f;
      }
      for (int64_t b_block = 0; b_block < B / 4; b_block++) {
        for (int64_t n = 0; n < N % 128; n++) {
          sums_for_middle[n] = sums_for_middle[n] + batch[b_block * 4 * N + n + 128 * (N / 128)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 1) * N + n + 128 * (N / 128)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 2) * N + n + 128 * (N / 128)];
          sums_for_middle[n] = sums_for_middle[n] + batch[(b_block * 4 + 3) * N + n + 128 * (N / 128)];
        }
      }
      for (int64_t b = 0; b < B % 4; b++) {
        for (int64_t n = 0; n < N % 128; n++) {
          sums_for_middle[n] = sums_for_middle[n] + batch[(b + 4 * (B / 4)) * N + n + 128 * (N / 128)];
        }
      }
      for (int64_t n = 0; n < N % 128; n++) {
        const float middle = sums_for_middle[n] / sum_from_p_2nd;
        middle_kept_for_d[n] = middle;
        sums_for_deviation[n] = 0.0f;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < N % 128; n++) {
          const float d = batch[b * N + n + 128 * (N / 128)] - middle_kept_for_d[n];
          sums_for_deviation[n] = sums_for_deviation[n] + d * d;
        }
      }
      for (int64_t n = 0; n < N % 128; n++) {
        const float deviation = sqrtf(sums_for_deviation[n] / sum_from_p_2nd + 1e-05f);
        deviation_kept[n] = deviation;
      }
      for (int64_t b = 0; b < B; b++) {
        for (int64_t n = 0; n < N % 128; n++) {
          const int64_t at_n = n + 128 * (N / 128);
          const int64_t at_b_n = b * N + n + 128 * (N / 128);
          output[at_b_n] = learnt_1st[at_n] * ((batch[at_b_n] - middle_kept_for_d[n]) / deviation_kept[n]) + learnt_2nd[at_n];
        }
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(sums_for_sum_from_sum_of_i);
  return status;
}
