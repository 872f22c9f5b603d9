// conjugate_gradient(a: N.N.f32, state: N.(f32, (f32, f32))) -> N.(f32, (f32, f32)) for all N
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int conjugate_gradient(
    int64_t N,
    const float *restrict a,
    const float *restrict state_1st,
    const float *restrict state_2nd,
    const float *restrict state_3rd,
    float *restrict output_1st,
    float *restrict output_2nd,
    float *restrict output_3rd
) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < (112 * (N / 16) + 195) * N)
  for (int64_t n = 0; n < N; n++) {
    _Alignas(64) float partials_from_acc_of_n[16];
    _Alignas(64) float acc_of_n[16];
    for (int64_t n_column = 0; n_column < 16; n_column++) {
      acc_of_n[n_column] = 0.0f;
    }
    for (int64_t n_column_step = 0; n_column_step < N / 16; n_column_step++) {
      #pragma omp simd
      for (int64_t n_column = 0; n_column < 16; n_column++) {
        acc_of_n[n_column] = acc_of_n[n_column] + a[n * N + n_column_step * 16 + n_column] * state_3rd[n_column_step * 16 + n_column];
      }
    }
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 16; n_column++) {
      const int64_t at_n_column = n_column + 16 * (N / 16);
      const float p_2nd = at_n_column < N ? a[n * N + n_column + 16 * (N / 16)] * state_3rd[at_n_column] : 0.0f;
      partials_from_acc_of_n[n_column] = p_2nd + acc_of_n[n_column];
    }
    _Alignas(64) float partials[8];
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 8; n_column++) {
      partials[n_column] = partials_from_acc_of_n[n_column] + partials_from_acc_of_n[n_column + 8];
    }
    _Alignas(64) float sums[4];
    #pragma omp simd
    for (int64_t n_column = 0; n_column < 4; n_column++) {
      sums[n_column] = partials[n_column] + partials[n_column + 4];
    }
    float sum;
    sum = 0.0f;
    #pragma GCC unroll 4
    for (int64_t n_column = 0; n_column < 4; n_column++) {
      sum = sum + sums[n_column];
    }
    output_2nd[n] = sum;
  }
  float *const sums_for_square = allocate(N / 4096, sizeof(float));
  float *const sums_for_length = allocate(N / 4096, sizeof(float));
  float *const sums_for_kept = allocate(N / 4096, sizeof(float));
  if (sums_for_square != NULL && sums_for_length != NULL && sums_for_kept != NULL) {
    #pragma omp parallel for schedule(static) if(2 < N / 4096)
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      _Alignas(64) float acc_for_square[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_for_square[n] = 0.0f;
      }
      for (int64_t n_tile = 0; n_tile < 128; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n = n_block * 4096 + n_tile * 32 + n;
          acc_for_square[n] = acc_for_square[n] + state_2nd[at_n] * state_2nd[at_n];
        }
      }
      float sum_for_square_of_n_block;
      sum_for_square_of_n_block = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        sum_for_square_of_n_block = sum_for_square_of_n_block + acc_for_square[n];
      }
      sums_for_square[n_block] = sum_for_square_of_n_block;
    }
    float sum_for_square;
    sum_for_square = 0.0f;
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      sum_for_square = sum_for_square + sums_for_square[n_block];
    }
    _Alignas(64) float sums_for_square_from_acc[32];
    _Alignas(64) float acc_from_state_2nd[32];
    for (int64_t n = 0; n < 32; n++) {
      acc_from_state_2nd[n] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 32 - 128 * (N / 4096); n_block++) {
      for (int64_t n = 0; n < 32; n++) {
        const int64_t at_n = n_block * 32 + n + 4096 * (N / 4096);
        acc_from_state_2nd[n] = acc_from_state_2nd[n] + state_2nd[at_n] * state_2nd[at_n];
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const float p_2nd = at_n < N ? state_2nd[at_n] * state_2nd[at_n] : 0.0f;
      sums_for_square_from_acc[n] = p_2nd + acc_from_state_2nd[n];
    }
    float sum_for_square_from_acc;
    sum_for_square_from_acc = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum_for_square_from_acc = sum_for_square_from_acc + sums_for_square_from_acc[n];
    }
    const float square = sum_for_square + sum_for_square_from_acc;
    #pragma omp parallel for schedule(static) if(2 < N / 4096)
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      _Alignas(64) float acc_for_length[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_for_length[n] = 0.0f;
      }
      for (int64_t n_tile = 0; n_tile < 128; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          const int64_t at_n = n_block * 4096 + n_tile * 32 + n;
          acc_for_length[n] = acc_for_length[n] + state_3rd[at_n] * output_2nd[at_n];
        }
      }
      float sum_for_length_of_n_block;
      sum_for_length_of_n_block = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        sum_for_length_of_n_block = sum_for_length_of_n_block + acc_for_length[n];
      }
      sums_for_length[n_block] = sum_for_length_of_n_block;
    }
    float sum_for_length;
    sum_for_length = 0.0f;
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      sum_for_length = sum_for_length + sums_for_length[n_block];
    }
    _Alignas(64) float sums_for_length_from_acc[32];
    _Alignas(64) float acc_from_state_3rd[32];
    for (int64_t n = 0; n < 32; n++) {
      acc_from_state_3rd[n] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 32 - 128 * (N / 4096); n_block++) {
      for (int64_t n = 0; n < 32; n++) {
        const int64_t at_n = n_block * 32 + n + 4096 * (N / 4096);
        acc_from_state_3rd[n] = acc_from_state_3rd[n] + state_3rd[at_n] * output_2nd[at_n];
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const float p_2nd = at_n < N ? state_3rd[at_n] * output_2nd[at_n] : 0.0f;
      sums_for_length_from_acc[n] = p_2nd + acc_from_state_3rd[n];
    }
    float sum_for_length_from_acc;
    sum_for_length_from_acc = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum_for_length_from_acc = sum_for_length_from_acc + sums_for_length_from_acc[n];
    }
    const float length = square / (sum_for_length + sum_for_length_from_acc);
    #pragma omp parallel for schedule(static) if(13107 < N)
    for (int64_t n = 0; n < N; n++) {
      output_2nd[n] = state_2nd[n] - length * output_2nd[n];
    }
    #pragma omp parallel for schedule(static) if(2 < N / 4096)
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      _Alignas(64) float acc_for_kept[32];
      for (int64_t n = 0; n < 32; n++) {
        acc_for_kept[n] = 0.0f;
      }
      for (int64_t n_tile = 0; n_tile < 128; n_tile++) {
        for (int64_t n = 0; n < 32; n++) {
          const float this_output_2nd = output_2nd[n_block * 4096 + n_tile * 32 + n];
          acc_for_kept[n] = acc_for_kept[n] + this_output_2nd * this_output_2nd;
        }
      }
      float sum_for_kept_of_n_block;
      sum_for_kept_of_n_block = 0.0f;
      for (int64_t n = 0; n < 32; n++) {
        sum_for_kept_of_n_block = sum_for_kept_of_n_block + acc_for_kept[n];
      }
      sums_for_kept[n_block] = sum_for_kept_of_n_block;
    }
    float sum_for_kept;
    sum_for_kept = 0.0f;
    for (int64_t n_block = 0; n_block < N / 4096; n_block++) {
      sum_for_kept = sum_for_kept + sums_for_kept[n_block];
    }
    _Alignas(64) float sums_for_kept_from_chosen[32];
    _Alignas(64) float acc[32];
    for (int64_t n = 0; n < 32; n++) {
      acc[n] = 0.0f;
    }
    for (int64_t n_block = 0; n_block < N / 32 - 128 * (N / 4096); n_block++) {
      for (int64_t n = 0; n < 32; n++) {
        const float this_output_2nd = output_2nd[n_block * 32 + n + 4096 * (N / 4096)];
        acc[n] = acc[n] + this_output_2nd * this_output_2nd;
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      float chosen;
      const int64_t at_n = n + 32 * (N / 32);
      if (at_n < N) {
        const float this_output_2nd = output_2nd[at_n];
        chosen = this_output_2nd * this_output_2nd;
      } else {
        chosen = 0.0f;
      }
      sums_for_kept_from_chosen[n] = chosen + acc[n];
    }
    float sum_for_kept_from_chosen;
    sum_for_kept_from_chosen = 0.0f;
    for (int64_t n = 0; n < 32; n++) {
      sum_for_kept_from_chosen = sum_for_kept_from_chosen + sums_for_kept_from_chosen[n];
    }
    const float kept = (sum_for_kept + sum_for_kept_from_chosen) / square;
    #pragma omp parallel for schedule(static) if(170 < (N + 31) / 32)
    for (int64_t n_block = 0; n_block < (N + 31) / 32; n_block++) {
      #pragma omp simd
      for (int64_t n = 0; n < min_i64(N - n_block * 32, 32); n++) {
        const int64_t at_n = n_block * 32 + n;
        output_1st[at_n] = state_1st[at_n] + length * state_3rd[at_n];
        output_3rd[at_n] = output_2nd[at_n] + kept * state_3rd[at_n];
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(sums_for_kept);
  give_memory(sums_for_length);
  give_memory(sums_for_square);
  return status;
}
