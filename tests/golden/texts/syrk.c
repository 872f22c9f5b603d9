// syrk(alpha: f32, beta: f32, a: M.K.f32, c: M.M.f32) -> M.M.f32 for all M, K
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
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < M / 64; i_x++) {
    float *const packed = allocate(64 * K, sizeof(float));
    if (packed != NULL) {
      for (int64_t i_block = 0; i_block < K / 16; i_block++) {
        for (int64_t i_x_1 = 0; i_x_1 < 64; i_x_1++) {
          for (int64_t i_x_2 = 0; i_x_2 < 1; i_x_2++) {
            __builtin_prefetch(&a[(i_x * 64 + i_x_1 + 8) * K + i_block * 16 + i_x_2 * 16]);
          }
          for (int64_t i_x_2 = 0; i_x_2 < 16; i_x_2++) {
            packed[i_block * 1024 + i_x_2 * 64 + i_x_1] = a[(i_x * 64 + i_x_1) * K + i_block * 16 + i_x_2];
          }
        }
      }
      for (int64_t i_x_3 = 0; i_x_3 < K % 16; i_x_3++) {
        for (int64_t i_x_4 = 0; i_x_4 < 64; i_x_4++) {
          packed[i_x_3 * 64 + i_x_4 + 1024 * (K / 16)] = a[(i_x * 64 + i_x_4) * K + i_x_3 + 16 * (K / 16)];
        }
      }
      for (int64_t i_x_5 = 0; i_x_5 < M / 6; i_x_5++) {
        _Alignas(64) float acc[384];
        for (int64_t i_x_6 = 0; i_x_6 < 6; i_x_6++) {
          for (int64_t i_x_7 = 0; i_x_7 < 64; i_x_7++) {
            acc[i_x_6 * 64 + i_x_7] = 0.0f;
          }
        }
        for (int64_t i_p = 0; i_p < 6; i_p++) {
          #pragma GCC unroll 4
          for (int64_t i_p_1 = 0; i_p_1 < 4; i_p_1++) {
            __builtin_prefetch(&output[(i_x_5 * 6 + i_p) * M + i_x * 64 + i_p_1 * 16], 1);
          }
        }
        for (int64_t i_x_8 = 0; i_x_8 < K; i_x_8++) {
          if (i_x_8 < i_x_8 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_9 = 0; i_x_9 < 6; i_x_9++) {
              __builtin_prefetch(&a[(i_x_5 * 6 + i_x_9 + 6) * K + i_x_8]);
            }
          }
          for (int64_t i_x_9 = 0; i_x_9 < 6; i_x_9++) {
            for (int64_t i_x_10 = 0; i_x_10 < 64; i_x_10++) {
              acc[i_x_9 * 64 + i_x_10] = fmaf(a[(i_x_5 * 6 + i_x_9) * K + i_x_8], packed[i_x_8 * 64 + i_x_10], acc[i_x_9 * 64 + i_x_10]);
            }
          }
        }
        for (int64_t i_p = 0; i_p < 6; i_p++) {
          for (int64_t i_p_1 = 0; i_p_1 < 64; i_p_1++) {
            output[(i_x_5 * 6 + i_p) * M + i_x * 64 + i_p_1] = alpha_1 * acc[i_p * 64 + i_p_1] + beta_1 * c[(i_x_5 * 6 + i_p) * M + i_x * 64 + i_p_1];
          }
        }
      }
      for (int64_t i_x_11 = 0; i_x_11 < M % 6; i_x_11++) {
        _Alignas(64) float acc_1[64];
        for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
          acc_1[i_x_12] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t i_p_2 = 0; i_p_2 < 4; i_p_2++) {
          __builtin_prefetch(&output[(i_x_11 + 6 * (M / 6)) * M + i_x * 64 + i_p_2 * 16], 1);
        }
        for (int64_t i_x_13 = 0; i_x_13 < K; i_x_13++) {
          for (int64_t i_x_14 = 0; i_x_14 < 64; i_x_14++) {
            acc_1[i_x_14] = fmaf(a[(i_x_11 + 6 * (M / 6)) * K + i_x_13], packed[i_x_13 * 64 + i_x_14], acc_1[i_x_14]);
          }
        }
        for (int64_t i_p_2 = 0; i_p_2 < 64; i_p_2++) {
          output[(i_x_11 + 6 * (M / 6)) * M + i_x * 64 + i_p_2] = alpha_1 * acc_1[i_p_2] + beta_1 * c[(i_x_11 + 6 * (M / 6)) * M + i_x * 64 + i_p_2];
        }
      }
    } else {
      report(&status, 1);
    }
    free(packed);
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x_15 = 0; i_x_15 < (M + 15) / 16 - 4 * (M / 64); i_x_15++) {
    float *const packed_1 = allocate(16 * K, sizeof(float));
    if (packed_1 != NULL) {
      for (int64_t i_block_1 = 0; i_block_1 < K / 16; i_block_1++) {
        for (int64_t i_x_16 = 0; i_x_16 < 16; i_x_16++) {
          for (int64_t i_x_17 = 0; i_x_17 < 16; i_x_17++) {
            packed_1[i_block_1 * 256 + i_x_17 * 16 + i_x_16] = 64 * (M / 64) < M ? a[(min_i64(M % 64 - 1, i_x_15 * 16 + i_x_16) + 64 * (M / 64)) * K + i_block_1 * 16 + i_x_17] : 0.0f;
          }
        }
      }
      for (int64_t i_x_18 = 0; i_x_18 < K % 16; i_x_18++) {
        for (int64_t i_x_19 = 0; i_x_19 < 16; i_x_19++) {
          packed_1[i_x_18 * 16 + i_x_19 + 256 * (K / 16)] = 64 * (M / 64) < M ? a[(min_i64(M % 64 - 1, i_x_15 * 16 + i_x_19) + 64 * (M / 64)) * K + i_x_18 + 16 * (K / 16)] : 0.0f;
        }
      }
      for (int64_t i_x_20 = 0; i_x_20 < M / 6; i_x_20++) {
        _Alignas(64) float acc_2[96];
        for (int64_t i_x_21 = 0; i_x_21 < 6; i_x_21++) {
          for (int64_t i_x_22 = 0; i_x_22 < 16; i_x_22++) {
            acc_2[i_x_21 * 16 + i_x_22] = 0.0f;
          }
        }
        for (int64_t i_x_23 = 0; i_x_23 < K; i_x_23++) {
          if (i_x_23 < i_x_23 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_24 = 0; i_x_24 < 6; i_x_24++) {
              __builtin_prefetch(&a[(i_x_20 * 6 + i_x_24 + 6) * K + i_x_23]);
            }
          }
          for (int64_t i_x_24 = 0; i_x_24 < 6; i_x_24++) {
            for (int64_t i_x_25 = 0; i_x_25 < 16; i_x_25++) {
              acc_2[i_x_24 * 16 + i_x_25] = fmaf(a[(i_x_20 * 6 + i_x_24) * K + i_x_23], packed_1[i_x_23 * 16 + i_x_25], acc_2[i_x_24 * 16 + i_x_25]);
            }
          }
        }
        for (int64_t i_p_3 = 0; i_p_3 < 6; i_p_3++) {
          for (int64_t i_p_4 = 0; i_p_4 < min_i64(M - i_x_15 * 16 - 64 * (M / 64), 16); i_p_4++) {
            output[(i_x_20 * 6 + i_p_3) * M + i_x_15 * 16 + i_p_4 + 64 * (M / 64)] = alpha_1 * acc_2[i_p_3 * 16 + i_p_4] + beta_1 * c[(i_x_20 * 6 + i_p_3) * M + i_x_15 * 16 + i_p_4 + 64 * (M / 64)];
          }
        }
      }
      for (int64_t i_x_26 = 0; i_x_26 < M % 6; i_x_26++) {
        _Alignas(64) float acc_3[16];
        for (int64_t i_x_27 = 0; i_x_27 < 16; i_x_27++) {
          acc_3[i_x_27] = 0.0f;
        }
        for (int64_t i_x_28 = 0; i_x_28 < K; i_x_28++) {
          for (int64_t i_x_29 = 0; i_x_29 < 16; i_x_29++) {
            acc_3[i_x_29] = fmaf(a[(i_x_26 + 6 * (M / 6)) * K + i_x_28], packed_1[i_x_28 * 16 + i_x_29], acc_3[i_x_29]);
          }
        }
        for (int64_t i_p_5 = 0; i_p_5 < min_i64(M - i_x_15 * 16 - 64 * (M / 64), 16); i_p_5++) {
          output[(i_x_26 + 6 * (M / 6)) * M + i_x_15 * 16 + i_p_5 + 64 * (M / 64)] = alpha_1 * acc_3[i_p_5] + beta_1 * c[(i_x_26 + 6 * (M / 6)) * M + i_x_15 * 16 + i_p_5 + 64 * (M / 64)];
        }
      }
    } else {
      report(&status, 2);
    }
    free(packed_1);
  }
  return status;
}
