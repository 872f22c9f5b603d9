// mm(a: M.K.f32, b: K.N.f32) -> M.N.f32 for all M, K, N
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

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int mm(
    int64_t M,
    int64_t K,
    int64_t N,
    const float *restrict a,
    const float *restrict b,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static)
  for (int64_t i_block = 0; i_block < N / 64; i_block++) {
    float *const packed = allocate(64 * K, sizeof(float));
    if (packed != NULL) {
      for (int64_t i_x = 0; i_x < K; i_x++) {
        #pragma GCC unroll 4
        for (int64_t i_x_1 = 0; i_x_1 < 4; i_x_1++) {
          __builtin_prefetch(&b[(i_x + 8) * N + i_block * 64 + i_x_1 * 16]);
        }
        for (int64_t i_x_1 = 0; i_x_1 < 64; i_x_1++) {
          packed[i_x * 64 + i_x_1] = b[i_x * N + i_block * 64 + i_x_1];
        }
      }
      for (int64_t i_block_1 = 0; i_block_1 < M / 6; i_block_1++) {
        _Alignas(64) float acc[384];
        for (int64_t i_x_2 = 0; i_x_2 < 6; i_x_2++) {
          for (int64_t i_x_3 = 0; i_x_3 < 64; i_x_3++) {
            acc[i_x_2 * 64 + i_x_3] = 0.0f;
          }
        }
        for (int64_t i_x_7 = 0; i_x_7 < 6; i_x_7++) {
          #pragma GCC unroll 4
          for (int64_t i_x_8 = 0; i_x_8 < 4; i_x_8++) {
            __builtin_prefetch(&output[(i_block_1 * 6 + i_x_7) * N + i_block * 64 + i_x_8 * 16], 1);
          }
        }
        for (int64_t i_x_4 = 0; i_x_4 < K; i_x_4++) {
          if (i_x_4 < i_x_4 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
              __builtin_prefetch(&a[(i_block_1 * 6 + i_x_5 + 6) * K + i_x_4]);
            }
          }
          for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
            for (int64_t i_x_6 = 0; i_x_6 < 64; i_x_6++) {
              acc[i_x_5 * 64 + i_x_6] = fmaf(a[(i_block_1 * 6 + i_x_5) * K + i_x_4], packed[i_x_4 * 64 + i_x_6], acc[i_x_5 * 64 + i_x_6]);
            }
          }
        }
        for (int64_t i_x_7 = 0; i_x_7 < 6; i_x_7++) {
          for (int64_t i_x_8 = 0; i_x_8 < 64; i_x_8++) {
            output[(i_block_1 * 6 + i_x_7) * N + i_block * 64 + i_x_8] = acc[i_x_7 * 64 + i_x_8];
          }
        }
      }
      for (int64_t i_block_2 = 0; i_block_2 < M % 6; i_block_2++) {
        _Alignas(64) float acc_1[64];
        for (int64_t i_x_9 = 0; i_x_9 < 64; i_x_9++) {
          acc_1[i_x_9] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t i_x_12 = 0; i_x_12 < 4; i_x_12++) {
          __builtin_prefetch(&output[(i_block_2 + 6 * (M / 6)) * N + i_block * 64 + i_x_12 * 16], 1);
        }
        for (int64_t i_x_10 = 0; i_x_10 < K; i_x_10++) {
          for (int64_t i_x_11 = 0; i_x_11 < 64; i_x_11++) {
            acc_1[i_x_11] = fmaf(a[(i_block_2 + 6 * (M / 6)) * K + i_x_10], packed[i_x_10 * 64 + i_x_11], acc_1[i_x_11]);
          }
        }
        for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
          output[(i_block_2 + 6 * (M / 6)) * N + i_block * 64 + i_x_12] = acc_1[i_x_12];
        }
      }
    } else {
      report(&status, 1);
    }
    free(packed);
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_block_3 = 0; i_block_3 < (N + 15) / 16 - 4 * (N / 64); i_block_3++) {
    float *const packed_1 = allocate(16 * K, sizeof(float));
    if (packed_1 != NULL) {
      for (int64_t i_x_13 = 0; i_x_13 < K; i_x_13++) {
        for (int64_t i_x_14 = 0; i_x_14 < 16; i_x_14++) {
          packed_1[i_x_13 * 16 + i_x_14] = 64 * (N / 64) < N ? b[i_x_13 * N + min_i64(N % 64 - 1, i_block_3 * 16 + i_x_14) + 64 * (N / 64)] : 0.0f;
        }
      }
      for (int64_t i_block_4 = 0; i_block_4 < M / 6; i_block_4++) {
        _Alignas(64) float acc_2[96];
        for (int64_t i_x_15 = 0; i_x_15 < 6; i_x_15++) {
          for (int64_t i_x_16 = 0; i_x_16 < 16; i_x_16++) {
            acc_2[i_x_15 * 16 + i_x_16] = 0.0f;
          }
        }
        for (int64_t i_x_17 = 0; i_x_17 < K; i_x_17++) {
          if (i_x_17 < i_x_17 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_18 = 0; i_x_18 < 6; i_x_18++) {
              __builtin_prefetch(&a[(i_block_4 * 6 + i_x_18 + 6) * K + i_x_17]);
            }
          }
          for (int64_t i_x_18 = 0; i_x_18 < 6; i_x_18++) {
            for (int64_t i_x_19 = 0; i_x_19 < 16; i_x_19++) {
              acc_2[i_x_18 * 16 + i_x_19] = fmaf(a[(i_block_4 * 6 + i_x_18) * K + i_x_17], packed_1[i_x_17 * 16 + i_x_19], acc_2[i_x_18 * 16 + i_x_19]);
            }
          }
        }
        for (int64_t i_x_20 = 0; i_x_20 < 6; i_x_20++) {
          for (int64_t i_x_21 = 0; i_x_21 < min_i64(N - i_block_3 * 16 - 64 * (N / 64), 16); i_x_21++) {
            output[(i_block_4 * 6 + i_x_20) * N + i_block_3 * 16 + i_x_21 + 64 * (N / 64)] = acc_2[i_x_20 * 16 + i_x_21];
          }
        }
      }
      for (int64_t i_block_5 = 0; i_block_5 < M % 6; i_block_5++) {
        _Alignas(64) float acc_3[16];
        for (int64_t i_x_22 = 0; i_x_22 < 16; i_x_22++) {
          acc_3[i_x_22] = 0.0f;
        }
        for (int64_t i_x_23 = 0; i_x_23 < K; i_x_23++) {
          for (int64_t i_x_24 = 0; i_x_24 < 16; i_x_24++) {
            acc_3[i_x_24] = fmaf(a[(i_block_5 + 6 * (M / 6)) * K + i_x_23], packed_1[i_x_23 * 16 + i_x_24], acc_3[i_x_24]);
          }
        }
        for (int64_t i_x_25 = 0; i_x_25 < min_i64(N - i_block_3 * 16 - 64 * (N / 64), 16); i_x_25++) {
          output[(i_block_5 + 6 * (M / 6)) * N + i_block_3 * 16 + i_x_25 + 64 * (N / 64)] = acc_3[i_x_25];
        }
      }
    } else {
      report(&status, 2);
    }
    free(packed_1);
  }
  return status;
}
