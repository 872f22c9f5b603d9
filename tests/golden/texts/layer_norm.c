// layer_norm(scale: N.f32, shift: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
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

int layer_norm(
    int64_t N,
    int64_t B,
    const float *restrict scale,
    const float *restrict shift,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  int32_t *const sums_for_sum_from_sum_for_sum_of_i = allocate(N / 4096, sizeof(int32_t));
  if (sums_for_sum_from_sum_for_sum_of_i != NULL) {
    #pragma omp parallel for schedule(static) if(5 < N / 4096)
    for (int64_t i = 0; i < N / 4096; i++) {
      _Alignas(64) int32_t counts_for_sum[32];
      for (int64_t j = 0; j < 32; j++) {
        counts_for_sum[j] = 0;
      }
      for (int64_t i_row = 0; i_row < 128; i_row++) {
        for (int64_t j = 0; j < 32; j++) {
          counts_for_sum[j] = counts_for_sum[j] + 1;
        }
      }
      int32_t sum_for_sum_of_i;
      sum_for_sum_of_i = 0;
      for (int64_t j = 0; j < 32; j++) {
        sum_for_sum_of_i = sum_for_sum_of_i + counts_for_sum[j];
      }
      sums_for_sum_from_sum_for_sum_of_i[i] = sum_for_sum_of_i;
    }
    int32_t sum_for_sum;
    sum_for_sum = 0;
    for (int64_t i = 0; i < N / 4096; i++) {
      sum_for_sum = sum_for_sum + sums_for_sum_from_sum_for_sum_of_i[i];
    }
    _Alignas(64) int32_t sums_for_sum_from_counts[32];
    _Alignas(64) int32_t counts[32];
    for (int64_t i = 0; i < 32; i++) {
      counts[i] = 0;
    }
    for (int64_t i_row = 0; i_row < N / 32 - 128 * (N / 4096); i_row++) {
      for (int64_t i = 0; i < 32; i++) {
        counts[i] = counts[i] + 1;
      }
    }
    for (int64_t i = 0; i < 32; i++) {
      const int32_t p_2nd = i + 32 * (N / 32) < N ? 1 : 0;
      sums_for_sum_from_counts[i] = p_2nd + counts[i];
    }
    int32_t sum_for_sum_from_counts;
    sum_for_sum_from_counts = 0;
    for (int64_t i = 0; i < 32; i++) {
      sum_for_sum_from_counts = sum_for_sum_from_counts + sums_for_sum_from_counts[i];
    }
    const float sum = (float)(sum_for_sum + sum_for_sum_from_counts);
    #pragma omp parallel for schedule(static) if(65535 < (192 * (N / 16) + 16 * N + 463) * B)
    for (int64_t b = 0; b < B; b++) {
      _Alignas(64) float partials_for_middle_from_sums[16];
      _Alignas(64) float sums_from_batch[16];
      for (int64_t n = 0; n < 16; n++) {
        sums_from_batch[n] = 0.0f;
      }
      for (int64_t n_block = 0; n_block < N / 16; n_block++) {
        #pragma omp simd
        for (int64_t n = 0; n < 16; n++) {
          sums_from_batch[n] = sums_from_batch[n] + batch[b * N + n_block * 16 + n];
        }
      }
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        const float padded_batch = n + 16 * (N / 16) < N ? batch[b * N + n + 16 * (N / 16)] : 0.0f;
        partials_for_middle_from_sums[n] = padded_batch + sums_from_batch[n];
      }
      _Alignas(64) float partials_for_middle[8];
      #pragma omp simd
      for (int64_t n = 0; n < 8; n++) {
        partials_for_middle[n] = partials_for_middle_from_sums[n] + partials_for_middle_from_sums[n + 8];
      }
      _Alignas(64) float sums_for_middle[4];
      #pragma omp simd
      for (int64_t n = 0; n < 4; n++) {
        sums_for_middle[n] = partials_for_middle[n] + partials_for_middle[n + 4];
      }
      float sum_for_middle;
      sum_for_middle = 0.0f;
      #pragma GCC unroll 4
      for (int64_t n = 0; n < 4; n++) {
        sum_for_middle = sum_for_middle + sums_for_middle[n];
      }
      const float middle = sum_for_middle / sum;
      _Alignas(64) float partials_for_deviation_from_chosen[16];
      _Alignas(64) float sums_from_centred[16];
      for (int64_t n = 0; n < 16; n++) {
        sums_from_centred[n] = 0.0f;
      }
      for (int64_t n_block = 0; n_block < N / 16; n_block++) {
        #pragma omp simd
        for (int64_t n = 0; n < 16; n++) {
          const float centred = batch[b * N + n_block * 16 + n] - middle;
          sums_from_centred[n] = sums_from_centred[n] + centred * centred;
        }
      }
      #pragma omp simd
      for (int64_t n = 0; n < 16; n++) {
        float chosen;
        if (n + 16 * (N / 16) < N) {
          const float centred = batch[b * N + n + 16 * (N / 16)] - middle;
          chosen = centred * centred;
        } else {
          chosen = 0.0f;
        }
        partials_for_deviation_from_chosen[n] = chosen + sums_from_centred[n];
      }
      _Alignas(64) float partials_for_deviation[8];
      #pragma omp simd
      for (int64_t n = 0; n < 8; n++) {
        partials_for_deviation[n] = partials_for_deviation_from_chosen[n] + partials_for_deviation_from_chosen[n + 8];
      }
      _Alignas(64) float sums_for_deviation[4];
      #pragma omp simd
      for (int64_t n = 0; n < 4; n++) {
        sums_for_deviation[n] = partials_for_deviation[n] + partials_for_deviation[n + 4];
      }
      float sum_for_deviation;
      sum_for_deviation = 0.0f;
      #pragma GCC unroll 4
      for (int64_t n = 0; n < 4; n++) {
        sum_for_deviation = sum_for_deviation + sums_for_deviation[n];
      }
      const float deviation = sqrtf(sum_for_deviation / sum + 1e-05f);
      for (int64_t n_block = 0; n_block < N / 32; n_block++) {
        __builtin_prefetch(&batch[(b + 1) * N + n_block * 32]);
        __builtin_prefetch(&batch[(b + 1) * N + n_block * 32 + 16]);
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_b_n = b * N + n_block * 32 + n;
          const float quotient = (batch[at_b_n] - middle) / deviation;
          output[at_b_n] = scale[n_block * 32 + n] * quotient + shift[n_block * 32 + n];
        }
      }
      for (int64_t n = 0; n < N % 32; n++) {
        const int64_t at_b_n = b * N + n + 32 * (N / 32);
        const float quotient = (batch[at_b_n] - middle) / deviation;
        const int64_t at_n = n + 32 * (N / 32);
        output[at_b_n] = scale[at_n] * quotient + shift[at_n];
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(sums_for_sum_from_sum_for_sum_of_i);
  return status;
}
