// mm_left_transposed(at: K.M.f32, b: K.N.f32) -> M.N.f32 for all K, M, N
#include <math.h>
#include <stdbool.h>
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

int mm_left_transposed(
    int64_t K,
    int64_t M,
    int64_t N,
    const float *restrict at,
    const float *restrict b,
    float *restrict output
) {
  int status = 0;
  const bool is_less = N < 257;
  if (is_less) {
    #pragma omp parallel for schedule(static) if(65535 < ((320 * K + 256 * (K / 256) + 320) * M + 128 * K) * (N / 64))
    for (int64_t n_block = 0; n_block < N / 64; n_block++) {
      float *const sums_of_n_block = allocate(64 * M, sizeof(float));
      _Alignas(64) float b_tile_of_n_block_near[1024];
      float *const b_tile_of_n_block = 64 * (K % 256) <= 1024 ? b_tile_of_n_block_near : allocate(64 * (K % 256), sizeof(float));
      if (sums_of_n_block != NULL && b_tile_of_n_block != NULL) {
        for (int64_t m = 0; m < M; m++) {
          for (int64_t n = 0; n < 64; n++) {
            sums_of_n_block[m * 64 + n] = 0.0f;
          }
        }
        for (int64_t k_step = 0; k_step < K / 256; k_step++) {
          float *const b_tile_of_k_step = allocate(16384, sizeof(float));
          if (b_tile_of_k_step != NULL) {
            for (int64_t k = 0; k < 256; k++) {
              #pragma GCC unroll 4
              for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
                __builtin_prefetch(&b[(k_step * 256 + k + 8) * N + n_block * 64 + n_tile * 16]);
              }
              for (int64_t n = 0; n < 64; n++) {
                b_tile_of_k_step[k * 64 + n] = b[(k_step * 256 + k) * N + n_block * 64 + n];
              }
            }
            for (int64_t m_block = 0; m_block < M / 6; m_block++) {
              _Alignas(64) float acc[384];
              for (int64_t m = 0; m < 6; m++) {
                for (int64_t n = 0; n < 64; n++) {
                  acc[m * 64 + n] = sums_of_n_block[m_block * 384 + m * 64 + n];
                }
              }
              for (int64_t k = 0; k < 256; k++) {
                for (int64_t m = 0; m < 6; m++) {
                  for (int64_t n = 0; n < 64; n++) {
                    acc[m * 64 + n] = fmaf(at[(k_step * 256 + k) * M + m_block * 6 + m], b_tile_of_k_step[k * 64 + n], acc[m * 64 + n]);
                  }
                }
              }
              for (int64_t m = 0; m < 6; m++) {
                for (int64_t n = 0; n < 64; n++) {
                  sums_of_n_block[m_block * 384 + m * 64 + n] = acc[m * 64 + n];
                }
              }
            }
            for (int64_t m = 0; m < M % 6; m++) {
              _Alignas(64) float acc[64];
              for (int64_t n = 0; n < 64; n++) {
                acc[n] = sums_of_n_block[m * 64 + n + 384 * (M / 6)];
              }
              for (int64_t k = 0; k < 256; k++) {
                for (int64_t n = 0; n < 64; n++) {
                  acc[n] = fmaf(at[(k_step * 256 + k) * M + m + 6 * (M / 6)], b_tile_of_k_step[k * 64 + n], acc[n]);
                }
              }
              for (int64_t n = 0; n < 64; n++) {
                sums_of_n_block[m * 64 + n + 384 * (M / 6)] = acc[n];
              }
            }
          } else {
            report(&status, 2);
          }
          give_memory(b_tile_of_k_step);
        }
        for (int64_t k = 0; k < K % 256; k++) {
          #pragma GCC unroll 4
          for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
            __builtin_prefetch(&b[(k + 256 * (K / 256) + 8) * N + n_block * 64 + n_tile * 16]);
          }
          for (int64_t n = 0; n < 64; n++) {
            b_tile_of_n_block[k * 64 + n] = b[(k + 256 * (K / 256)) * N + n_block * 64 + n];
          }
        }
        for (int64_t m_block = 0; m_block < M / 6; m_block++) {
          _Alignas(64) float acc[384];
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 64; n++) {
              acc[m * 64 + n] = sums_of_n_block[m_block * 384 + m * 64 + n];
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            #pragma GCC unroll 4
            for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
              __builtin_prefetch(&output[(m_block * 6 + m) * N + n_block * 64 + n_tile * 16], 1);
            }
          }
          for (int64_t k = 0; k < K % 256; k++) {
            for (int64_t m = 0; m < 6; m++) {
              for (int64_t n = 0; n < 64; n++) {
                acc[m * 64 + n] = fmaf(at[(k + 256 * (K / 256)) * M + m_block * 6 + m], b_tile_of_n_block[k * 64 + n], acc[m * 64 + n]);
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
            acc[n] = sums_of_n_block[m * 64 + n + 384 * (M / 6)];
          }
          #pragma GCC unroll 4
          for (int64_t n_tile = 0; n_tile < 4; n_tile++) {
            __builtin_prefetch(&output[(m + 6 * (M / 6)) * N + n_block * 64 + n_tile * 16], 1);
          }
          for (int64_t k = 0; k < K % 256; k++) {
            for (int64_t n = 0; n < 64; n++) {
              acc[n] = fmaf(at[(k + 256 * (K / 256)) * M + m + 6 * (M / 6)], b_tile_of_n_block[k * 64 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < 64; n++) {
            output[(m + 6 * (M / 6)) * N + n_block * 64 + n] = acc[n];
          }
        }
      } else {
        report(&status, 1);
      }
      if (b_tile_of_n_block != b_tile_of_n_block_near) give_memory(b_tile_of_n_block);
      give_memory(sums_of_n_block);
    }
    float *const sums = allocate((16 * ((N + 15) / 16) - 64 * (N / 64)) * M, sizeof(float));
    float *const b_tile = allocate((16 * ((N + 15) / 16) - 64 * (N / 64)) * (K % 256), sizeof(float));
    if (sums != NULL && b_tile != NULL) {
      #pragma omp parallel for schedule(static) if(64 * M * (N / 64) + 65535 < 16 * M * ((N + 15) / 16))
      for (int64_t m = 0; m < M; m++) {
        for (int64_t n = 0; n < 16 * ((N + 15) / 16) - 64 * (N / 64); n++) {
          sums[m * 16 * ((N + 15) / 16) - m * 64 * (N / 64) + n] = 0.0f;
        }
      }
      for (int64_t k_step = 0; k_step < K / 256; k_step++) {
        _Alignas(64) float b_tile_of_k_step_near[1024];
        float *const b_tile_of_k_step = 4096 * ((N + 15) / 16) - 16384 * (N / 64) <= 1024 ? b_tile_of_k_step_near : allocate(4096 * ((N + 15) / 16) - 16384 * (N / 64), sizeof(float));
        if (b_tile_of_k_step != NULL) {
          for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64) - 1; n_block++) {
            for (int64_t k = 0; k < 256; k++) {
              #pragma omp simd
              for (int64_t n = 0; n < 16; n++) {
                b_tile_of_k_step[n_block * 4096 + k * 16 + n] = 64 * (N / 64) < N ? b[(k_step * 256 + k) * N + n_block * 16 + n + 64 * (N / 64)] : 0.0f;
              }
            }
          }
          for (int64_t n_block = 0; n_block < min_i64((N + 15) / 16 - 4 * (N / 64), 1); n_block++) {
            for (int64_t k = 0; k < 256; k++) {
              for (int64_t n = 0; n < 16; n++) {
                b_tile_of_k_step[n_block * 4096 + k * 16 + n + 4096 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)] = 64 * (N / 64) < N ? b[(k_step * 256 + k) * N + min_i64(N % 64 - 1, n_block * 16 + n + 16 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) + 64 * (N / 64)] : 0.0f;
              }
            }
          }
          for (int64_t m_block = 0; m_block < M / 6; m_block++) {
            for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
              _Alignas(64) float acc[96];
              for (int64_t m = 0; m < 6; m++) {
                #pragma omp simd
                for (int64_t n = 0; n < 16; n++) {
                  acc[m * 16 + n] = sums[(m_block * -384 - m * 64) * (N / 64) + (m_block * 96 + m * 16) * ((N + 15) / 16) + n_block * 16 + n];
                }
              }
              for (int64_t k = 0; k < 256; k++) {
                for (int64_t m = 0; m < 6; m++) {
                  #pragma omp simd
                  for (int64_t n = 0; n < 16; n++) {
                    acc[m * 16 + n] = fmaf(at[(k_step * 256 + k) * M + m_block * 6 + m], b_tile_of_k_step[n_block * 4096 + k * 16 + n], acc[m * 16 + n]);
                  }
                }
              }
              for (int64_t m = 0; m < 6; m++) {
                #pragma omp simd
                for (int64_t n = 0; n < 16; n++) {
                  sums[(m_block * -384 - m * 64) * (N / 64) + (m_block * 96 + m * 16) * ((N + 15) / 16) + n_block * 16 + n] = acc[m * 16 + n];
                }
              }
            }
          }
          for (int64_t m = 0; m < M % 6; m++) {
            for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
              _Alignas(64) float acc[16];
              #pragma omp simd
              for (int64_t n = 0; n < 16; n++) {
                acc[n] = sums[(m * -64 - 384 * (M / 6)) * (N / 64) + (m * 16 + 96 * (M / 6)) * ((N + 15) / 16) + n_block * 16 + n];
              }
              for (int64_t k = 0; k < 256; k++) {
                #pragma omp simd
                for (int64_t n = 0; n < 16; n++) {
                  acc[n] = fmaf(at[(k_step * 256 + k) * M + m + 6 * (M / 6)], b_tile_of_k_step[n_block * 4096 + k * 16 + n], acc[n]);
                }
              }
              #pragma omp simd
              for (int64_t n = 0; n < 16; n++) {
                sums[(m * -64 - 384 * (M / 6)) * (N / 64) + (m * 16 + 96 * (M / 6)) * ((N + 15) / 16) + n_block * 16 + n] = acc[n];
              }
            }
          }
        } else {
          report(&status, 4);
        }
        if (b_tile_of_k_step != b_tile_of_k_step_near) give_memory(b_tile_of_k_step);
      }
      #pragma omp parallel for schedule(static) if(8192 * ((N + 15) / 16) * (K / 256) + 128 * K * (N / 64) + 65535 < 32768 * (K / 256) * (N / 64) + 32 * K * ((N + 15) / 16))
      for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64) - 1; n_block++) {
        for (int64_t k = 0; k < K % 256; k++) {
          #pragma omp simd
          for (int64_t n = 0; n < 16; n++) {
            b_tile[n_block * 16 * K - n_block * 4096 * (K / 256) + k * 16 + n] = 64 * (N / 64) < N ? b[(k + 256 * (K / 256)) * N + n_block * 16 + n + 64 * (N / 64)] : 0.0f;
          }
        }
      }
      for (int64_t n_block = 0; n_block < min_i64((N + 15) / 16 - 4 * (N / 64), 1); n_block++) {
        for (int64_t k = 0; k < K % 256; k++) {
          for (int64_t n = 0; n < 16; n++) {
            b_tile[(n_block * -4096 - 4096 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) * (K / 256) + (n_block * 16 + 16 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) * K + k * 16 + n] = 64 * (N / 64) < N ? b[(k + 256 * (K / 256)) * N + min_i64(N % 64 - 1, n_block * 16 + n + 16 * max_i64(0, (N + 15) / 16 - 4 * (N / 64) - 1)) + 64 * (N / 64)] : 0.0f;
          }
        }
      }
      #pragma omp parallel for schedule(static) if((122880 * ((N + 15) / 16) * (K / 256) + (1920 * K + 1536) * (N / 64)) * (M / 6) + 65535 < (491520 * (K / 256) * (N / 64) + (480 * K + 384) * ((N + 15) / 16)) * (M / 6))
      for (int64_t m_block = 0; m_block < M / 6; m_block++) {
        for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
          _Alignas(64) float acc[96];
          for (int64_t m = 0; m < 6; m++) {
            #pragma omp simd
            for (int64_t n = 0; n < 16; n++) {
              acc[m * 16 + n] = sums[(m_block * -384 - m * 64) * (N / 64) + (m_block * 96 + m * 16) * ((N + 15) / 16) + n_block * 16 + n];
            }
          }
          for (int64_t k = 0; k < K % 256; k++) {
            for (int64_t m = 0; m < 6; m++) {
              #pragma omp simd
              for (int64_t n = 0; n < 16; n++) {
                acc[m * 16 + n] = fmaf(at[(k + 256 * (K / 256)) * M + m_block * 6 + m], b_tile[n_block * 16 * K - n_block * 4096 * (K / 256) + k * 16 + n], acc[m * 16 + n]);
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
      #pragma omp parallel for schedule(static) if((491520 * (K / 256) * (N / 64) + (480 * K + 384) * ((N + 15) / 16)) * (M / 6) + (20480 * ((N + 15) / 16) * (K / 256) + (320 * K + 256) * (N / 64)) * M + 65535 < (122880 * ((N + 15) / 16) * (K / 256) + (1920 * K + 1536) * (N / 64)) * (M / 6) + (81920 * (K / 256) * (N / 64) + (80 * K + 64) * ((N + 15) / 16)) * M)
      for (int64_t m = 0; m < M % 6; m++) {
        for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
          _Alignas(64) float acc[16];
          #pragma omp simd
          for (int64_t n = 0; n < 16; n++) {
            acc[n] = sums[(m * -64 - 384 * (M / 6)) * (N / 64) + (m * 16 + 96 * (M / 6)) * ((N + 15) / 16) + n_block * 16 + n];
          }
          for (int64_t k = 0; k < K % 256; k++) {
            #pragma omp simd
            for (int64_t n = 0; n < 16; n++) {
              acc[n] = fmaf(at[(k + 256 * (K / 256)) * M + m + 6 * (M / 6)], b_tile[n_block * 16 * K - n_block * 4096 * (K / 256) + k * 16 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
            output[(m + 6 * (M / 6)) * N + n_block * 16 + n + 64 * (N / 64)] = acc[n];
          }
        }
      }
    } else {
      report(&status, 3);
    }
    give_memory(b_tile);
    give_memory(sums);
  } else {
    float *const at_tile = allocate(K * M, sizeof(float));
    float *const b_tile = allocate((16 * ((N + 15) / 16) - 64 * (N / 64)) * K, sizeof(float));
    if (at_tile != NULL && b_tile != NULL) {
      #pragma omp parallel for schedule(static) if(2047 < K * (M / 16))
      for (int64_t m_block = 0; m_block < M / 16; m_block++) {
        for (int64_t k = 0; k < K; k++) {
          for (int64_t m_tile = 0; m_tile < 1; m_tile++) {
            __builtin_prefetch(&at[(k + 8) * M + m_block * 16 + m_tile * 16]);
          }
          for (int64_t m = 0; m < 16; m++) {
            at_tile[(m_block * 16 + m) * K + k] = at[k * M + m_block * 16 + m];
          }
        }
      }
      #pragma omp parallel for schedule(static) if(32 * K * (M / 16) + 65535 < 2 * K * M)
      for (int64_t m = 0; m < M % 16; m++) {
        for (int64_t k = 0; k < K; k++) {
          at_tile[(m + 16 * (M / 16)) * K + k] = at[k * M + m + 16 * (M / 16)];
        }
      }
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
              for (int64_t m = 0; m < 6; m++) {
                for (int64_t n = 0; n < 64; n++) {
                  acc[m * 64 + n] = fmaf(at_tile[(m_block * 6 + m) * K + k], b_tile_of_n_block[k * 64 + n], acc[m * 64 + n]);
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
                acc[n] = fmaf(at_tile[(m + 6 * (M / 6)) * K + k], b_tile_of_n_block[k * 64 + n], acc[n]);
              }
            }
            for (int64_t n = 0; n < 64; n++) {
              output[(m + 6 * (M / 6)) * N + n_block * 64 + n] = acc[n];
            }
          }
        } else {
          report(&status, 6);
        }
        give_memory(b_tile_of_n_block);
      }
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
                acc[m * 16 + n] = fmaf(at_tile[(m_block * 6 + m) * K + k], b_tile[n_block * 16 * K + k * 16 + n], acc[m * 16 + n]);
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
              acc[n] = fmaf(at_tile[(m + 6 * (M / 6)) * K + k], b_tile[n_block * 16 * K + k * 16 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
            output[(m + 6 * (M / 6)) * N + n_block * 16 + n + 64 * (N / 64)] = acc[n];
          }
        }
      }
    } else {
      report(&status, 5);
    }
    give_memory(b_tile);
    give_memory(at_tile);
  }
  return status;
}
