// syrk(alpha: f32, beta: f32, a: M.K.f32, c: M.M.f32) -> M.M.f32 for all M, K
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int syrk(
    int64_t M,
    int64_t K,
    float alpha,
    float beta,
    const float *restrict a,
    const float *restrict c,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < ((320 * M + 128) * K + 448 * M) * (M / 64))
  for (int64_t m_column_block = 0; m_column_block < M / 64; m_column_block++) {
    float *const a_tile = allocate(64 * K, sizeof(float));
    if (a_tile != NULL) {
      for (int64_t k_step = 0; k_step < K / 16; k_step++) {
        for (int64_t m_column = 0; m_column < 64; m_column++) {
          for (int64_t k_strip = 0; k_strip < 1; k_strip++) {
            __builtin_prefetch(&a[(m_column_block * 64 + m_column + 8) * K + k_step * 16 + k_strip * 16]);
          }
          for (int64_t k = 0; k < 16; k++) {
            a_tile[k_step * 1024 + k * 64 + m_column] = a[(m_column_block * 64 + m_column) * K + k_step * 16 + k];
          }
        }
      }
      for (int64_t k = 0; k < K % 16; k++) {
        for (int64_t m_column = 0; m_column < 64; m_column++) {
          a_tile[k * 64 + m_column + 1024 * (K / 16)] = a[(m_column_block * 64 + m_column) * K + k + 16 * (K / 16)];
        }
      }
      for (int64_t m_row_block = 0; m_row_block < M / 6; m_row_block++) {
        _Alignas(64) float acc[384];
        for (int64_t m_row = 0; m_row < 6; m_row++) {
          for (int64_t m_column = 0; m_column < 64; m_column++) {
            acc[m_row * 64 + m_column] = 0.0f;
          }
        }
        for (int64_t m_row = 0; m_row < 6; m_row++) {
          #pragma GCC unroll 4
          for (int64_t m_column_tile = 0; m_column_tile < 4; m_column_tile++) {
            __builtin_prefetch(&output[(m_row_block * 6 + m_row) * M + m_column_block * 64 + m_column_tile * 16], 1);
          }
        }
        for (int64_t k = 0; k < K; k++) {
          if (k % 16 == 0) {
            #pragma GCC unroll 6
            for (int64_t m_row = 0; m_row < 6; m_row++) {
              __builtin_prefetch(&a[(m_row_block * 6 + m_row + 6) * K + k]);
            }
          }
          for (int64_t m_row = 0; m_row < 6; m_row++) {
            for (int64_t m_column = 0; m_column < 64; m_column++) {
              acc[m_row * 64 + m_column] = fmaf(a[(m_row_block * 6 + m_row) * K + k], a_tile[k * 64 + m_column], acc[m_row * 64 + m_column]);
            }
          }
        }
        for (int64_t m_row = 0; m_row < 6; m_row++) {
          for (int64_t m_column = 0; m_column < 64; m_column++) {
            const int64_t at_m_column_m_row = (m_row_block * 6 + m_row) * M + m_column_block * 64 + m_column;
            output[at_m_column_m_row] = alpha * acc[m_row * 64 + m_column] + beta * c[at_m_column_m_row];
          }
        }
      }
      for (int64_t m_row = 0; m_row < M % 6; m_row++) {
        _Alignas(64) float acc[64];
        for (int64_t m_column = 0; m_column < 64; m_column++) {
          acc[m_column] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t m_column_tile = 0; m_column_tile < 4; m_column_tile++) {
          __builtin_prefetch(&output[(m_row + 6 * (M / 6)) * M + m_column_block * 64 + m_column_tile * 16], 1);
        }
        for (int64_t k = 0; k < K; k++) {
          for (int64_t m_column = 0; m_column < 64; m_column++) {
            acc[m_column] = fmaf(a[(m_row + 6 * (M / 6)) * K + k], a_tile[k * 64 + m_column], acc[m_column]);
          }
        }
        for (int64_t m_column = 0; m_column < 64; m_column++) {
          const int64_t at_m_column_m_row = (m_row + 6 * (M / 6)) * M + m_column_block * 64 + m_column;
          output[at_m_column_m_row] = alpha * acc[m_column] + beta * c[at_m_column_m_row];
        }
      }
    } else {
      report(&status, 1);
    }
    give_memory(a_tile);
  }
  #pragma omp parallel for schedule(static) if(((320 * M + 128) * K + 448 * M) * (M / 64) + 65535 < ((80 * M + 32) * K + 112 * M) * ((M + 15) / 16))
  for (int64_t m_column_block = 0; m_column_block < (M + 15) / 16 - 4 * (M / 64); m_column_block++) {
    float *const a_tile = allocate(16 * K, sizeof(float));
    if (a_tile != NULL) {
      for (int64_t k_step = 0; k_step < K / 16; k_step++) {
        for (int64_t m_column = 0; m_column < 16; m_column++) {
          for (int64_t k = 0; k < 16; k++) {
            a_tile[k_step * 256 + k * 16 + m_column] = 64 * (M / 64) < M ? a[(min_i64(M % 64 - 1, m_column_block * 16 + m_column) + 64 * (M / 64)) * K + k_step * 16 + k] : 0.0f;
          }
        }
      }
      for (int64_t k = 0; k < K % 16; k++) {
        for (int64_t m_column = 0; m_column < 16; m_column++) {
          a_tile[k * 16 + m_column + 256 * (K / 16)] = 64 * (M / 64) < M ? a[(min_i64(M % 64 - 1, m_column_block * 16 + m_column) + 64 * (M / 64)) * K + k + 16 * (K / 16)] : 0.0f;
        }
      }
      for (int64_t m_row_block = 0; m_row_block < M / 6; m_row_block++) {
        _Alignas(64) float acc[96];
        for (int64_t m_row = 0; m_row < 6; m_row++) {
          for (int64_t m_column = 0; m_column < 16; m_column++) {
            acc[m_row * 16 + m_column] = 0.0f;
          }
        }
        for (int64_t k = 0; k < K; k++) {
          if (k % 16 == 0) {
            #pragma GCC unroll 6
            for (int64_t m_row = 0; m_row < 6; m_row++) {
              __builtin_prefetch(&a[(m_row_block * 6 + m_row + 6) * K + k]);
            }
          }
          for (int64_t m_row = 0; m_row < 6; m_row++) {
            #pragma omp simd
            for (int64_t m_column = 0; m_column < 16; m_column++) {
              acc[m_row * 16 + m_column] = fmaf(a[(m_row_block * 6 + m_row) * K + k], a_tile[k * 16 + m_column], acc[m_row * 16 + m_column]);
            }
          }
        }
        for (int64_t m_row = 0; m_row < 6; m_row++) {
          for (int64_t m_column = 0; m_column < min_i64(M - m_column_block * 16 - 64 * (M / 64), 16); m_column++) {
            const int64_t at_m_column_m_row = (m_row_block * 6 + m_row) * M + m_column_block * 16 + m_column + 64 * (M / 64);
            output[at_m_column_m_row] = alpha * acc[m_row * 16 + m_column] + beta * c[at_m_column_m_row];
          }
        }
      }
      for (int64_t m_row = 0; m_row < M % 6; m_row++) {
        _Alignas(64) float acc[16];
        for (int64_t m_column = 0; m_column < 16; m_column++) {
          acc[m_column] = 0.0f;
        }
        for (int64_t k = 0; k < K; k++) {
          #pragma omp simd
          for (int64_t m_column = 0; m_column < 16; m_column++) {
            acc[m_column] = fmaf(a[(m_row + 6 * (M / 6)) * K + k], a_tile[k * 16 + m_column], acc[m_column]);
          }
        }
        for (int64_t m_column = 0; m_column < min_i64(M - m_column_block * 16 - 64 * (M / 64), 16); m_column++) {
          const int64_t at_m_column_m_row = (m_row + 6 * (M / 6)) * M + m_column_block * 16 + m_column + 64 * (M / 64);
          output[at_m_column_m_row] = alpha * acc[m_column] + beta * c[at_m_column_m_row];
        }
      }
    } else {
      report(&status, 2);
    }
    give_memory(a_tile);
  }
  return status;
}
