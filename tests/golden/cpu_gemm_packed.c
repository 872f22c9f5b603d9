// kernel(a: M.K.f32, b: K.N.f32) -> M.N.f32 for all M, K, N
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
  float *const packed = allocate(64 * K * ((N + 63) / 64), sizeof(float));
  float *const packed_2 = allocate((6 * ((M + 5) / 6) - 96 * (M / 96)) * K, sizeof(float));
  if (packed != NULL && packed_2 != NULL) {
    #pragma omp parallel for schedule(static) num_threads(2)
    for (int64_t i_x = 0; i_x < (N + 63) / 64 - 1; i_x++) {
      for (int64_t i_x_1 = 0; i_x_1 < K; i_x_1++) {
        #pragma GCC unroll 4
        for (int64_t i_x_2 = 0; i_x_2 < 4; i_x_2++) {
          __builtin_prefetch(&b[(i_x_1 + 8) * N + i_x * 64 + i_x_2 * 16]);
        }
        for (int64_t i_x_2 = 0; i_x_2 < 64; i_x_2++) {
          packed[i_x * 64 * K + i_x_1 * 64 + i_x_2] = b[i_x_1 * N + i_x * 64 + i_x_2];
        }
      }
    }
    for (int64_t i_x = 0; i_x < min_i64((N + 63) / 64, 1); i_x++) {
      for (int64_t i_x_1 = 0; i_x_1 < K; i_x_1++) {
        for (int64_t i_x_2 = 0; i_x_2 < 64; i_x_2++) {
          packed[(i_x * 64 + 64 * max_i64(0, (N + 63) / 64 - 1)) * K + i_x_1 * 64 + i_x_2] = b[i_x_1 * N + min_i64(N - 1, i_x * 64 + i_x_2 + 64 * max_i64(0, (N + 63) / 64 - 1))];
        }
      }
    }
    #pragma omp parallel for schedule(static) num_threads(2)
    for (int64_t i_block = 0; i_block < M / 96; i_block++) {
      float *const packed_1 = allocate(96 * K, sizeof(float));
      if (packed_1 != NULL) {
        for (int64_t i_x_3 = 0; i_x_3 < 16; i_x_3++) {
          for (int64_t i_x_4 = 0; i_x_4 < K; i_x_4++) {
            for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
              packed_1[i_x_3 * 6 * K + i_x_4 * 6 + i_x_5] = a[(i_block * 96 + i_x_3 * 6 + i_x_5) * K + i_x_4];
            }
          }
        }
        for (int64_t i_x_6 = 0; i_x_6 < (N + 63) / 64; i_x_6++) {
          for (int64_t i_x_7 = 0; i_x_7 < 16; i_x_7++) {
            _Alignas(64) float acc[384];
            for (int64_t i_x_8 = 0; i_x_8 < 6; i_x_8++) {
              for (int64_t i_x_9 = 0; i_x_9 < 64; i_x_9++) {
                acc[i_x_8 * 64 + i_x_9] = 0.0f;
              }
            }
            for (int64_t i_x_10 = 0; i_x_10 < K; i_x_10++) {
              for (int64_t i_x_11 = 0; i_x_11 < 6; i_x_11++) {
                for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
                  acc[i_x_11 * 64 + i_x_12] = fmaf(packed_1[i_x_7 * 6 * K + i_x_10 * 6 + i_x_11], packed[i_x_6 * 64 * K + i_x_10 * 64 + i_x_12], acc[i_x_11 * 64 + i_x_12]);
                }
              }
            }
            for (int64_t i_x_13 = 0; i_x_13 < 6; i_x_13++) {
              for (int64_t i_x_14 = 0; i_x_14 < min_i64(N - i_x_6 * 64, 64); i_x_14++) {
                output[(i_block * 96 + i_x_7 * 6 + i_x_13) * N + i_x_6 * 64 + i_x_14] = acc[i_x_13 * 64 + i_x_14];
              }
            }
          }
        }
      } else {
        report(&status, 2);
      }
      free(packed_1);
    }
    #pragma omp parallel for schedule(static) num_threads(2)
    for (int64_t i_x_15 = 0; i_x_15 < (M + 5) / 6 - 16 * (M / 96) - 1; i_x_15++) {
      for (int64_t i_x_16 = 0; i_x_16 < K; i_x_16++) {
        for (int64_t i_x_17 = 0; i_x_17 < 6; i_x_17++) {
          packed_2[i_x_15 * 6 * K + i_x_16 * 6 + i_x_17] = 96 * (M / 96) < M ? a[(i_x_15 * 6 + i_x_17 + 96 * (M / 96)) * K + i_x_16] : 0.0f;
        }
      }
    }
    for (int64_t i_x_15 = 0; i_x_15 < min_i64((M + 5) / 6 - 16 * (M / 96), 1); i_x_15++) {
      for (int64_t i_x_16 = 0; i_x_16 < K; i_x_16++) {
        for (int64_t i_x_17 = 0; i_x_17 < 6; i_x_17++) {
          packed_2[(i_x_15 * 6 + 6 * max_i64(0, (M + 5) / 6 - 16 * (M / 96) - 1)) * K + i_x_16 * 6 + i_x_17] = 96 * (M / 96) < M ? a[(min_i64(M % 96 - 1, i_x_15 * 6 + i_x_17 + 6 * max_i64(0, (M + 5) / 6 - 16 * (M / 96) - 1)) + 96 * (M / 96)) * K + i_x_16] : 0.0f;
        }
      }
    }
    #pragma omp parallel for schedule(static) num_threads(2)
    for (int64_t i_x_18 = 0; i_x_18 < (N + 63) / 64; i_x_18++) {
      for (int64_t i_x_19 = 0; i_x_19 < (M + 5) / 6 - 16 * (M / 96); i_x_19++) {
        _Alignas(64) float acc_1[384];
        for (int64_t i_x_20 = 0; i_x_20 < 6; i_x_20++) {
          for (int64_t i_x_21 = 0; i_x_21 < 64; i_x_21++) {
            acc_1[i_x_20 * 64 + i_x_21] = 0.0f;
          }
        }
        for (int64_t i_x_22 = 0; i_x_22 < K; i_x_22++) {
          for (int64_t i_x_23 = 0; i_x_23 < 6; i_x_23++) {
            for (int64_t i_x_24 = 0; i_x_24 < 64; i_x_24++) {
              acc_1[i_x_23 * 64 + i_x_24] = fmaf(packed_2[i_x_19 * 6 * K + i_x_22 * 6 + i_x_23], packed[i_x_18 * 64 * K + i_x_22 * 64 + i_x_24], acc_1[i_x_23 * 64 + i_x_24]);
            }
          }
        }
        for (int64_t i_x_25 = 0; i_x_25 < min_i64(M - i_x_19 * 6 - 96 * (M / 96), 6); i_x_25++) {
          for (int64_t i_x_26 = 0; i_x_26 < min_i64(N - i_x_18 * 64, 64); i_x_26++) {
            output[(i_x_19 * 6 + i_x_25 + 96 * (M / 96)) * N + i_x_18 * 64 + i_x_26] = acc_1[i_x_25 * 64 + i_x_26];
          }
        }
      }
    }
  } else {
    report(&status, 1);
  }
  free(packed_2);
  free(packed);
  return status;
}
