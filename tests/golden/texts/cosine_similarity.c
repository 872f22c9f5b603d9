// cosine_similarity(as: M.D.f32, bs: N.D.f32) -> M.N.f32 for all M, D, N
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

int cosine_similarity(
    int64_t M,
    int64_t D,
    int64_t N,
    const float *restrict as,
    const float *restrict bs,
    float *restrict output
) {
  int status = 0;
  float *const numbers = allocate(N, sizeof(float));
  float *const packed = allocate(M, sizeof(float));
  if (numbers != NULL && packed != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < (6 * D + 11) * N)
    for (int64_t n = 0; n < N; n++) {
      float acc;
      acc = 0.0f;
      for (int64_t d = 0; d < D; d++) {
        const float this_bs = bs[n * D + d];
        acc = acc + this_bs * this_bs;
      }
      numbers[n] = sqrtf(acc);
    }
    #pragma omp parallel for schedule(static) if(65535 < (6 * D + 11) * M)
    for (int64_t m = 0; m < M; m++) {
      float acc;
      acc = 0.0f;
      for (int64_t d = 0; d < D; d++) {
        const float this_as = as[m * D + d];
        acc = acc + this_as * this_as;
      }
      packed[m] = sqrtf(acc);
    }
    #pragma omp parallel for schedule(static) if(65535 < ((320 * M + 128) * D + 896 * M) * (N / 64))
    for (int64_t n_block = 0; n_block < N / 64; n_block++) {
      float *const bs_tile = allocate(64 * D, sizeof(float));
      if (bs_tile != NULL) {
        for (int64_t d_step = 0; d_step < D / 16; d_step++) {
          for (int64_t n = 0; n < 64; n++) {
            for (int64_t d_strip = 0; d_strip < 1; d_strip++) {
              __builtin_prefetch(&bs[(n_block * 64 + n + 8) * D + d_step * 16 + d_strip * 16]);
            }
            for (int64_t d = 0; d < 16; d++) {
              bs_tile[d_step * 1024 + d * 64 + n] = bs[(n_block * 64 + n) * D + d_step * 16 + d];
            }
          }
        }
        for (int64_t d = 0; d < D % 16; d++) {
          for (int64_t n = 0; n < 64; n++) {
            bs_tile[d * 64 + n + 1024 * (D / 16)] = bs[(n_block * 64 + n) * D + d + 16 * (D / 16)];
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
          for (int64_t d = 0; d < D; d++) {
            if (d % 16 == 0) {
              #pragma GCC unroll 6
              for (int64_t m = 0; m < 6; m++) {
                __builtin_prefetch(&as[(m_block * 6 + m + 6) * D + d]);
              }
            }
            for (int64_t m = 0; m < 6; m++) {
              for (int64_t n = 0; n < 64; n++) {
                acc[m * 64 + n] = fmaf(as[(m_block * 6 + m) * D + d], bs_tile[d * 64 + n], acc[m * 64 + n]);
              }
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 64; n++) {
              output[(m_block * 6 + m) * N + n_block * 64 + n] = acc[m * 64 + n] / (packed[m_block * 6 + m] * numbers[n_block * 64 + n]);
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
          for (int64_t d = 0; d < D; d++) {
            for (int64_t n = 0; n < 64; n++) {
              acc[n] = fmaf(as[(m + 6 * (M / 6)) * D + d], bs_tile[d * 64 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < 64; n++) {
            output[(m + 6 * (M / 6)) * N + n_block * 64 + n] = acc[n] / (packed[m + 6 * (M / 6)] * numbers[n_block * 64 + n]);
          }
        }
      } else {
        report(&status, 2);
      }
      give_memory(bs_tile);
    }
    #pragma omp parallel for schedule(static) if(((320 * M + 128) * D + 896 * M) * (N / 64) + 65535 < ((80 * M + 32) * D + 224 * M) * ((N + 15) / 16))
    for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
      float *const bs_tile = allocate(16 * D, sizeof(float));
      if (bs_tile != NULL) {
        for (int64_t d_step = 0; d_step < D / 16; d_step++) {
          for (int64_t n = 0; n < 16; n++) {
            for (int64_t d = 0; d < 16; d++) {
              bs_tile[d_step * 256 + d * 16 + n] = 64 * (N / 64) < N ? bs[(min_i64(N % 64 - 1, n_block * 16 + n) + 64 * (N / 64)) * D + d_step * 16 + d] : 0.0f;
            }
          }
        }
        for (int64_t d = 0; d < D % 16; d++) {
          for (int64_t n = 0; n < 16; n++) {
            bs_tile[d * 16 + n + 256 * (D / 16)] = 64 * (N / 64) < N ? bs[(min_i64(N % 64 - 1, n_block * 16 + n) + 64 * (N / 64)) * D + d + 16 * (D / 16)] : 0.0f;
          }
        }
        for (int64_t m_block = 0; m_block < M / 6; m_block++) {
          _Alignas(64) float acc[96];
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 16; n++) {
              acc[m * 16 + n] = 0.0f;
            }
          }
          for (int64_t d = 0; d < D; d++) {
            if (d % 16 == 0) {
              #pragma GCC unroll 6
              for (int64_t m = 0; m < 6; m++) {
                __builtin_prefetch(&as[(m_block * 6 + m + 6) * D + d]);
              }
            }
            for (int64_t m = 0; m < 6; m++) {
              #pragma omp simd
              for (int64_t n = 0; n < 16; n++) {
                acc[m * 16 + n] = fmaf(as[(m_block * 6 + m) * D + d], bs_tile[d * 16 + n], acc[m * 16 + n]);
              }
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
              output[(m_block * 6 + m) * N + n_block * 16 + n + 64 * (N / 64)] = acc[m * 16 + n] / (packed[m_block * 6 + m] * numbers[n_block * 16 + n + 64 * (N / 64)]);
            }
          }
        }
        for (int64_t m = 0; m < M % 6; m++) {
          _Alignas(64) float acc[16];
          for (int64_t n = 0; n < 16; n++) {
            acc[n] = 0.0f;
          }
          for (int64_t d = 0; d < D; d++) {
            #pragma omp simd
            for (int64_t n = 0; n < 16; n++) {
              acc[n] = fmaf(as[(m + 6 * (M / 6)) * D + d], bs_tile[d * 16 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
            output[(m + 6 * (M / 6)) * N + n_block * 16 + n + 64 * (N / 64)] = acc[n] / (packed[m + 6 * (M / 6)] * numbers[n_block * 16 + n + 64 * (N / 64)]);
          }
        }
      } else {
        report(&status, 3);
      }
      give_memory(bs_tile);
    }
  } else {
    report(&status, 1);
  }
  give_memory(packed);
  give_memory(numbers);
  return status;
}
