// kernel(a: M.K.f32, b: K.N.f32) -> M.N.f32 for all M, K, N
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

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

int kernel(
    int64_t M,
    int64_t K,
    int64_t N,
    const float *restrict a,
    const float *restrict b,
    float *restrict output
) {
  int status = 0;
  float *const b_tile = allocate(64 * K * ((N + 63) / 64), sizeof(float));
  float *const a_tile = allocate((6 * ((M + 5) / 6) - 96 * (M / 96)) * K, sizeof(float));
  if (b_tile != NULL && a_tile != NULL) {
    #pragma omp parallel for schedule(static) num_threads(2) if(511 < K * ((N + 63) / 64))
    for (int64_t n_block = 0; n_block < (N + 63) / 64 - 1; n_block++) {
      for (int64_t k = 0; k < K; k++) {
        #pragma GCC unroll 4
        for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
          __builtin_prefetch(&b[(k + 8) * N + n_block * 64 + n_tile * 16]);
        }
        for (int64_t n = 0; n < 64; n++) {
          b_tile[n_block * 64 * K + k * 64 + n] = b[k * N + n_block * 64 + n];
        }
      }
    }
    for (int64_t n_block = 0; n_block < min_i64((N + 63) / 64, 1); n_block++) {
      for (int64_t k = 0; k < K; k++) {
        for (int64_t n = 0; n < 64; n++) {
          b_tile[(n_block * 64 + 64 * max_i64(0, (N + 63) / 64 - 1)) * K + k * 64 + n] = b[k * N + min_i64(N - 1, n_block * 64 + n + 64 * max_i64(0, (N + 63) / 64 - 1))];
        }
      }
    }
    #pragma omp parallel for schedule(static) num_threads(2) if(65535 < ((30720 * ((N + 63) / 64) + 192) * K + 18432 * ((N + 63) / 64)) * (M / 96))
    for (int64_t m_block = 0; m_block < M / 96; m_block++) {
      float *const a_tile_of_m_block = allocate(96 * K, sizeof(float));
      if (a_tile_of_m_block != NULL) {
        for (int64_t m_tile = 0; m_tile < 16; m_tile++) {
          for (int64_t k = 0; k < K; k++) {
            for (int64_t m = 0; m < 6; m++) {
              a_tile_of_m_block[m_tile * 6 * K + k * 6 + m] = a[(m_block * 96 + m_tile * 6 + m) * K + k];
            }
          }
        }
        for (int64_t n_block = 0; n_block < (N + 63) / 64; n_block++) {
          for (int64_t m_tile = 0; m_tile < 16; m_tile++) {
            _Alignas(64) float acc[384];
            for (int64_t m = 0; m < 6; m++) {
              for (int64_t n = 0; n < 64; n++) {
                acc[m * 64 + n] = 0.0f;
              }
            }
            for (int64_t k = 0; k < K; k++) {
              for (int64_t m = 0; m < 6; m++) {
                for (int64_t n = 0; n < 64; n++) {
                  acc[m * 64 + n] = fmaf(a_tile_of_m_block[m_tile * 6 * K + k * 6 + m], b_tile[n_block * 64 * K + k * 64 + n], acc[m * 64 + n]);
                }
              }
            }
            for (int64_t m = 0; m < 6; m++) {
              for (int64_t n = 0; n < min_i64(N - n_block * 64, 64); n++) {
                output[(m_block * 96 + m_tile * 6 + m) * N + n_block * 64 + n] = acc[m * 64 + n];
              }
            }
          }
        }
      } else {
        report(&status, 2);
      }
      give_memory(a_tile_of_m_block);
    }
    #pragma omp parallel for schedule(static) num_threads(2) if(192 * K * (M / 96) + 65535 < 12 * K * ((M + 5) / 6))
    for (int64_t m_block = 0; m_block < (M + 5) / 6 - 16 * (M / 96) - 1; m_block++) {
      for (int64_t k = 0; k < K; k++) {
        for (int64_t m = 0; m < 6; m++) {
          a_tile[m_block * 6 * K + k * 6 + m] = 96 * (M / 96) < M ? a[(m_block * 6 + m + 96 * (M / 96)) * K + k] : 0.0f;
        }
      }
    }
    for (int64_t m_block = 0; m_block < min_i64((M + 5) / 6 - 16 * (M / 96), 1); m_block++) {
      for (int64_t k = 0; k < K; k++) {
        for (int64_t m = 0; m < 6; m++) {
          a_tile[(m_block * 6 + 6 * max_i64(0, (M + 5) / 6 - 16 * (M / 96) - 1)) * K + k * 6 + m] = 96 * (M / 96) < M ? a[(min_i64(M % 96 - 1, m_block * 6 + m + 6 * max_i64(0, (M + 5) / 6 - 16 * (M / 96) - 1)) + 96 * (M / 96)) * K + k] : 0.0f;
        }
      }
    }
    #pragma omp parallel for schedule(static) num_threads(2) if((30720 * K + 18432) * (M / 96) * ((N + 63) / 64) + 65535 < (1920 * K + 1152) * ((N + 63) / 64) * ((M + 5) / 6))
    for (int64_t n_block = 0; n_block < (N + 63) / 64; n_block++) {
      for (int64_t m_block = 0; m_block < (M + 5) / 6 - 16 * (M / 96); m_block++) {
        _Alignas(64) float acc[384];
        for (int64_t m = 0; m < 6; m++) {
          for (int64_t n = 0; n < 64; n++) {
            acc[m * 64 + n] = 0.0f;
          }
        }
        for (int64_t k = 0; k < K; k++) {
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 64; n++) {
              acc[m * 64 + n] = fmaf(a_tile[m_block * 6 * K + k * 6 + m], b_tile[n_block * 64 * K + k * 64 + n], acc[m * 64 + n]);
            }
          }
        }
        for (int64_t m = 0; m < min_i64(M - m_block * 6 - 96 * (M / 96), 6); m++) {
          for (int64_t n = 0; n < min_i64(N - n_block * 64, 64); n++) {
            output[(m_block * 6 + m + 96 * (M / 96)) * N + n_block * 64 + n] = acc[m * 64 + n];
          }
        }
      }
    }
  } else {
    report(&status, 1);
  }
  give_memory(a_tile);
  give_memory(b_tile);
  return status;
}
