// mm(a: M.K.f32, b: K.N.f32) -> M.N.f32 for all M, K, N
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

int mm(
    int64_t M,
    int64_t K,
    int64_t N,
    const float *restrict a,
    const float *restrict b,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < ((320 * M + 128) * K + 192 * M) * (N / 64))
  for (int64_t n_block = 0; n_block < N / 64; n_block++) {
    float *const b_tile_of_n_block = allocate(64 * K, sizeof(float));
    if (b_tile_of_n_block != NULL) {
      for (int64_t k = 0; k < K; k++) {
        #pragma GCC unroll 4
        for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
          __builtin_prefetch(&b[(k + 8) * N + n_block * 64 + n_tile * 16]);
        }
        for (int64_t n = 0; n < 64; n++) {
          b_tile_of_n_block[k * 64 + n] = b[k * N + n_block * 64 + n];
        }
      }
      for (int64_t m_block = 0; m_block < M / 6; m_block++) {
        _Alignas(64) float acc[384];
        for (int64_t m = 0; m < 6; m++) {
          for (int64_t n = 0; n < 64; n++) {
            acc[m * 64 + n] = 0.0f;
          }
        }
        for (int64_t m = 0; m < 6; m++) {
          #pragma GCC unroll 4
          for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
            __builtin_prefetch(&output[(m_block * 6 + m) * N + n_block * 64 + n_tile * 16], 1);
          }
        }
        for (int64_t k = 0; k < K; k++) {
          if (k % 16 == 0) {
            #pragma GCC unroll 6
            for (int64_t m = 0; m < 6; m++) {
              __builtin_prefetch(&a[(m_block * 6 + m + 6) * K + k]);
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 64; n++) {
              acc[m * 64 + n] = fmaf(a[(m_block * 6 + m) * K + k], b_tile_of_n_block[k * 64 + n], acc[m * 64 + n]);
            }
          }
        }
        for (int64_t m = 0; m < 6; m++) {
          for (int64_t n = 0; n < 64; n++) {
            output[(m_block * 6 + m) * N + n_block * 64 + n] = acc[m * 64 + n];
          }
        }
      }
      for (int64_t m = 0; m < M % 6; m++) {
        _Alignas(64) float acc[64];
        for (int64_t n = 0; n < 64; n++) {
          acc[n] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
          __builtin_prefetch(&output[(m + 6 * (M / 6)) * N + n_block * 64 + n_tile * 16], 1);
        }
        for (int64_t k = 0; k < K; k++) {
          for (int64_t n = 0; n < 64; n++) {
            acc[n] = fmaf(a[(m + 6 * (M / 6)) * K + k], b_tile_of_n_block[k * 64 + n], acc[n]);
          }
        }
        for (int64_t n = 0; n < 64; n++) {
          output[(m + 6 * (M / 6)) * N + n_block * 64 + n] = acc[n];
        }
      }
    } else {
      report(&status, 1);
    }
    give_memory(b_tile_of_n_block);
  }
  float *const b_tile = allocate((16 * ((N + 15) / 16) - 64 * (N / 64)) * K, sizeof(float));
  if (b_tile != NULL) {
    #pragma omp parallel for schedule(static) if(128 * K * (N / 64) + 65535 < 32 * K * ((N + 15) / 16))
    for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64) - 1; n_block++) {
      for (int64_t k = 0; k < K; k++) {
        #pragma omp simd
        for (int64_t n = 0; n < 16; n++) {
          b_tile[n_block * 16 * K + k * 16 + n] = 64 * (N / 64) < N ? b[k * N + n_block * 16 + n + 64 * (N / 64)] : 0.0f;
        }
      }
    }
    for (int64_t n_block = 0; n_block < min_i64((N + 15) / 16 - 4 * (N / 64), 1); n_block++) {
      for (int64_t k = 0; k < K; k++) {
        for (int64_t n = 0; n < 16; n++) {
          b_tile[(n_block * 16 + 16 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) * K + k * 16 + n] = 64 * (N / 64) < N ? b[k * N + min_i64(N % 64 - 1, n_block * 16 + n + 16 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) + 64 * (N / 64)] : 0.0f;
        }
      }
    }
    #pragma omp parallel for schedule(static) if((1920 * K + 1152) * (N / 64) * (M / 6) + 65535 < (480 * K + 288) * (M / 6) * ((N + 15) / 16))
    for (int64_t m_block = 0; m_block < M / 6; m_block++) {
      for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
        _Alignas(64) float acc[96];
        for (int64_t m = 0; m < 6; m++) {
          for (int64_t n = 0; n < 16; n++) {
            acc[m * 16 + n] = 0.0f;
          }
        }
        for (int64_t k = 0; k < K; k++) {
          for (int64_t m = 0; m < 6; m++) {
            #pragma omp simd
            for (int64_t n = 0; n < 16; n++) {
              acc[m * 16 + n] = fmaf(a[(m_block * 6 + m) * K + k], b_tile[n_block * 16 * K + k * 16 + n], acc[m * 16 + n]);
            }
          }
        }
        for (int64_t m = 0; m < 6; m++) {
          for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
            output[(m_block * 6 + m) * N + n_block * 16 + n + 64 * (N / 64)] = acc[m * 16 + n];
          }
        }
      }
    }
    #pragma omp parallel for schedule(static) if(288 * ((N + 15) / 16) * (M / 6) + 192 * M * (N / 64) + (480 * ((N + 15) / 16) * (M / 6) + 320 * M * (N / 64)) * K + 65535 < 1152 * (M / 6) * (N / 64) + 48 * M * ((N + 15) / 16) + (1920 * (M / 6) * (N / 64) + 80 * M * ((N + 15) / 16)) * K)
    for (int64_t m = 0; m < M % 6; m++) {
      for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
        _Alignas(64) float acc[16];
        for (int64_t n = 0; n < 16; n++) {
          acc[n] = 0.0f;
        }
        for (int64_t k = 0; k < K; k++) {
          #pragma omp simd
          for (int64_t n = 0; n < 16; n++) {
            acc[n] = fmaf(a[(m + 6 * (M / 6)) * K + k], b_tile[n_block * 16 * K + k * 16 + n], acc[n]);
          }
        }
        for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
          output[(m + 6 * (M / 6)) * N + n_block * 16 + n + 64 * (N / 64)] = acc[n];
        }
      }
    }
  } else {
    report(&status, 2);
  }
  give_memory(b_tile);
  return status;
}
