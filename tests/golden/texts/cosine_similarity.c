// cosine_similarity(as: M.D.f32, bs: N.D.f32) -> M.N.f32 for all M, D, N
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

int cosine_similarity(
    int64_t M,
    int64_t D,
    int64_t N,
    const float *restrict as,
    const float *restrict bs,
    float *restrict output
) {
  int status = 0;
  float *const sums = allocate(N, sizeof(float));
  float *const packed = allocate(M, sizeof(float));
  if (sums != NULL && packed != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_b = 0; i_b < N; i_b++) {
      float acc;
      acc = 0.0f;
      for (int64_t i_x = 0; i_x < D; i_x++) {
        acc = acc + bs[i_b * D + i_x] * bs[i_b * D + i_x];
      }
      sums[i_b] = sqrtf(acc);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_a = 0; i_a < M; i_a++) {
      float acc_1;
      acc_1 = 0.0f;
      for (int64_t i_x_1 = 0; i_x_1 < D; i_x_1++) {
        acc_1 = acc_1 + as[i_a * D + i_x_1] * as[i_a * D + i_x_1];
      }
      packed[i_a] = sqrtf(acc_1);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_2 = 0; i_x_2 < N / 64; i_x_2++) {
      float *const packed_1 = allocate(64 * D, sizeof(float));
      if (packed_1 != NULL) {
        for (int64_t i_block = 0; i_block < D / 16; i_block++) {
          for (int64_t i_x_3 = 0; i_x_3 < 64; i_x_3++) {
            for (int64_t i_x_4 = 0; i_x_4 < 1; i_x_4++) {
              __builtin_prefetch(&bs[(i_x_2 * 64 + i_x_3 + 8) * D + i_block * 16 + i_x_4 * 16]);
            }
            for (int64_t i_x_4 = 0; i_x_4 < 16; i_x_4++) {
              packed_1[i_block * 1024 + i_x_4 * 64 + i_x_3] = bs[(i_x_2 * 64 + i_x_3) * D + i_block * 16 + i_x_4];
            }
          }
        }
        for (int64_t i_x_5 = 0; i_x_5 < D % 16; i_x_5++) {
          for (int64_t i_x_6 = 0; i_x_6 < 64; i_x_6++) {
            packed_1[i_x_5 * 64 + i_x_6 + 1024 * (D / 16)] = bs[(i_x_2 * 64 + i_x_6) * D + i_x_5 + 16 * (D / 16)];
          }
        }
        for (int64_t i_x_7 = 0; i_x_7 < M / 6; i_x_7++) {
          _Alignas(64) float acc_2[384];
          for (int64_t i_x_8 = 0; i_x_8 < 6; i_x_8++) {
            for (int64_t i_x_9 = 0; i_x_9 < 64; i_x_9++) {
              acc_2[i_x_8 * 64 + i_x_9] = 0.0f;
            }
          }
          for (int64_t i_p = 0; i_p < 6; i_p++) {
            #pragma GCC unroll 4
            for (int64_t i_p_1 = 0; i_p_1 < 4; i_p_1++) {
              __builtin_prefetch(&output[(i_x_7 * 6 + i_p) * N + i_x_2 * 64 + i_p_1 * 16], 1);
            }
          }
          for (int64_t i_x_10 = 0; i_x_10 < D; i_x_10++) {
            if (i_x_10 < i_x_10 / 16 * 16 + 1) {
              #pragma GCC unroll 6
              for (int64_t i_x_11 = 0; i_x_11 < 6; i_x_11++) {
                __builtin_prefetch(&as[(i_x_7 * 6 + i_x_11 + 6) * D + i_x_10]);
              }
            }
            for (int64_t i_x_11 = 0; i_x_11 < 6; i_x_11++) {
              for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
                acc_2[i_x_11 * 64 + i_x_12] = fmaf(as[(i_x_7 * 6 + i_x_11) * D + i_x_10], packed_1[i_x_10 * 64 + i_x_12], acc_2[i_x_11 * 64 + i_x_12]);
              }
            }
          }
          for (int64_t i_p = 0; i_p < 6; i_p++) {
            for (int64_t i_p_1 = 0; i_p_1 < 64; i_p_1++) {
              output[(i_x_7 * 6 + i_p) * N + i_x_2 * 64 + i_p_1] = acc_2[i_p * 64 + i_p_1] / (packed[i_x_7 * 6 + i_p] * sums[i_x_2 * 64 + i_p_1]);
            }
          }
        }
        for (int64_t i_x_13 = 0; i_x_13 < M % 6; i_x_13++) {
          _Alignas(64) float acc_3[64];
          for (int64_t i_x_14 = 0; i_x_14 < 64; i_x_14++) {
            acc_3[i_x_14] = 0.0f;
          }
          #pragma GCC unroll 4
          for (int64_t i_p_2 = 0; i_p_2 < 4; i_p_2++) {
            __builtin_prefetch(&output[(i_x_13 + 6 * (M / 6)) * N + i_x_2 * 64 + i_p_2 * 16], 1);
          }
          for (int64_t i_x_15 = 0; i_x_15 < D; i_x_15++) {
            for (int64_t i_x_16 = 0; i_x_16 < 64; i_x_16++) {
              acc_3[i_x_16] = fmaf(as[(i_x_13 + 6 * (M / 6)) * D + i_x_15], packed_1[i_x_15 * 64 + i_x_16], acc_3[i_x_16]);
            }
          }
          for (int64_t i_p_2 = 0; i_p_2 < 64; i_p_2++) {
            output[(i_x_13 + 6 * (M / 6)) * N + i_x_2 * 64 + i_p_2] = acc_3[i_p_2] / (packed[i_x_13 + 6 * (M / 6)] * sums[i_x_2 * 64 + i_p_2]);
          }
        }
      } else {
        report(&status, 2);
      }
      free(packed_1);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_17 = 0; i_x_17 < (N + 15) / 16 - 4 * (N / 64); i_x_17++) {
      float *const packed_2 = allocate(16 * D, sizeof(float));
      if (packed_2 != NULL) {
        for (int64_t i_block_1 = 0; i_block_1 < D / 16; i_block_1++) {
          for (int64_t i_x_18 = 0; i_x_18 < 16; i_x_18++) {
            for (int64_t i_x_19 = 0; i_x_19 < 16; i_x_19++) {
              packed_2[i_block_1 * 256 + i_x_19 * 16 + i_x_18] = 64 * (N / 64) < N ? bs[(min_i64(N % 64 - 1, i_x_17 * 16 + i_x_18) + 64 * (N / 64)) * D + i_block_1 * 16 + i_x_19] : 0.0f;
            }
          }
        }
        for (int64_t i_x_20 = 0; i_x_20 < D % 16; i_x_20++) {
          for (int64_t i_x_21 = 0; i_x_21 < 16; i_x_21++) {
            packed_2[i_x_20 * 16 + i_x_21 + 256 * (D / 16)] = 64 * (N / 64) < N ? bs[(min_i64(N % 64 - 1, i_x_17 * 16 + i_x_21) + 64 * (N / 64)) * D + i_x_20 + 16 * (D / 16)] : 0.0f;
          }
        }
        for (int64_t i_x_22 = 0; i_x_22 < M / 6; i_x_22++) {
          _Alignas(64) float acc_4[96];
          for (int64_t i_x_23 = 0; i_x_23 < 6; i_x_23++) {
            for (int64_t i_x_24 = 0; i_x_24 < 16; i_x_24++) {
              acc_4[i_x_23 * 16 + i_x_24] = 0.0f;
            }
          }
          for (int64_t i_x_25 = 0; i_x_25 < D; i_x_25++) {
            if (i_x_25 < i_x_25 / 16 * 16 + 1) {
              #pragma GCC unroll 6
              for (int64_t i_x_26 = 0; i_x_26 < 6; i_x_26++) {
                __builtin_prefetch(&as[(i_x_22 * 6 + i_x_26 + 6) * D + i_x_25]);
              }
            }
            for (int64_t i_x_26 = 0; i_x_26 < 6; i_x_26++) {
              for (int64_t i_x_27 = 0; i_x_27 < 16; i_x_27++) {
                acc_4[i_x_26 * 16 + i_x_27] = fmaf(as[(i_x_22 * 6 + i_x_26) * D + i_x_25], packed_2[i_x_25 * 16 + i_x_27], acc_4[i_x_26 * 16 + i_x_27]);
              }
            }
          }
          for (int64_t i_p_3 = 0; i_p_3 < 6; i_p_3++) {
            for (int64_t i_p_4 = 0; i_p_4 < min_i64(N - i_x_17 * 16 - 64 * (N / 64), 16); i_p_4++) {
              output[(i_x_22 * 6 + i_p_3) * N + i_x_17 * 16 + i_p_4 + 64 * (N / 64)] = acc_4[i_p_3 * 16 + i_p_4] / (packed[i_x_22 * 6 + i_p_3] * sums[i_x_17 * 16 + i_p_4 + 64 * (N / 64)]);
            }
          }
        }
        for (int64_t i_x_28 = 0; i_x_28 < M % 6; i_x_28++) {
          _Alignas(64) float acc_5[16];
          for (int64_t i_x_29 = 0; i_x_29 < 16; i_x_29++) {
            acc_5[i_x_29] = 0.0f;
          }
          for (int64_t i_x_30 = 0; i_x_30 < D; i_x_30++) {
            for (int64_t i_x_31 = 0; i_x_31 < 16; i_x_31++) {
              acc_5[i_x_31] = fmaf(as[(i_x_28 + 6 * (M / 6)) * D + i_x_30], packed_2[i_x_30 * 16 + i_x_31], acc_5[i_x_31]);
            }
          }
          for (int64_t i_p_5 = 0; i_p_5 < min_i64(N - i_x_17 * 16 - 64 * (N / 64), 16); i_p_5++) {
            output[(i_x_28 + 6 * (M / 6)) * N + i_x_17 * 16 + i_p_5 + 64 * (N / 64)] = acc_5[i_p_5] / (packed[i_x_28 + 6 * (M / 6)] * sums[i_x_17 * 16 + i_p_5 + 64 * (N / 64)]);
          }
        }
      } else {
        report(&status, 3);
      }
      free(packed_2);
    }
  } else {
    report(&status, 1);
  }
  free(packed);
  free(sums);
  return status;
}
