// covariance(share: f32, table: N.D.f32) -> D.D.f32 for all N, D
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

int covariance(int64_t N, int64_t D, float share, const float *restrict table, float *restrict output) {
  int status = 0;
  const float share_1 = share;
  float *const packed = allocate(D, sizeof(float));
  float *const packed_1 = allocate(D * N, sizeof(float));
  float *const rows = allocate(D * N, sizeof(float));
  if (packed != NULL && packed_1 != NULL && rows != NULL) {
    #pragma omp parallel for schedule(static)
    for (int64_t i_xs_block = 0; i_xs_block < D / 32; i_xs_block++) {
      _Alignas(64) float x[32];
      for (int64_t i_xs = 0; i_xs < 32; i_xs++) {
        x[i_xs] = 0.0f;
      }
      for (int64_t i_x = 0; i_x < N; i_x++) {
        for (int64_t i_xs = 0; i_xs < 32; i_xs++) {
          x[i_xs] = x[i_xs] + table[i_x * D + i_xs_block * 32 + i_xs];
        }
      }
      for (int64_t i_xs = 0; i_xs < 32; i_xs++) {
        packed[i_xs_block * 32 + i_xs] = share_1 * x[i_xs];
      }
    }
    for (int64_t i_xs = 0; i_xs < D % 32; i_xs++) {
      float x;
      x = 0.0f;
      for (int64_t i_x = 0; i_x < N; i_x++) {
        x = x + table[i_x * D + i_xs + 32 * (D / 32)];
      }
      packed[i_xs + 32 * (D / 32)] = share_1 * x;
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_column = 0; i_column < N; i_column++) {
      for (int64_t i_p = 0; i_p < D; i_p++) {
        packed_1[i_column * D + i_p] = table[i_column * D + i_p] - packed[i_p];
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_block = 0; i_block < D / 16; i_block++) {
      for (int64_t i_x_1 = 0; i_x_1 < N; i_x_1++) {
        for (int64_t i_x_2 = 0; i_x_2 < 16; i_x_2++) {
          rows[(i_block * 16 + i_x_2) * N + i_x_1] = packed_1[i_x_1 * D + i_block * 16 + i_x_2];
        }
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_x_3 = 0; i_x_3 < D % 16; i_x_3++) {
      for (int64_t i_x_4 = 0; i_x_4 < N; i_x_4++) {
        rows[(i_x_3 + 16 * (D / 16)) * N + i_x_4] = packed_1[i_x_4 * D + i_x_3 + 16 * (D / 16)];
      }
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_block_1 = 0; i_block_1 < D / 64; i_block_1++) {
      float *const packed_2 = allocate(64 * N, sizeof(float));
      if (packed_2 != NULL) {
        for (int64_t i_x_5 = 0; i_x_5 < N; i_x_5++) {
          for (int64_t i_x_6 = 0; i_x_6 < 64; i_x_6++) {
            packed_2[i_x_5 * 64 + i_x_6] = packed_1[i_x_5 * D + i_block_1 * 64 + i_x_6];
          }
        }
        for (int64_t i_block_2 = 0; i_block_2 < D / 6; i_block_2++) {
          _Alignas(64) float acc[384];
          for (int64_t i_x_7 = 0; i_x_7 < 6; i_x_7++) {
            for (int64_t i_x_8 = 0; i_x_8 < 64; i_x_8++) {
              acc[i_x_7 * 64 + i_x_8] = 0.0f;
            }
          }
          for (int64_t i_p_1 = 0; i_p_1 < 6; i_p_1++) {
            #pragma GCC unroll 4
            for (int64_t i_p_2 = 0; i_p_2 < 4; i_p_2++) {
              __builtin_prefetch(&output[(i_block_2 * 6 + i_p_1) * D + i_block_1 * 64 + i_p_2 * 16], 1);
            }
          }
          for (int64_t i_x_9 = 0; i_x_9 < N; i_x_9++) {
            for (int64_t i_x_10 = 0; i_x_10 < 6; i_x_10++) {
              for (int64_t i_x_11 = 0; i_x_11 < 64; i_x_11++) {
                acc[i_x_10 * 64 + i_x_11] = fmaf(rows[(i_block_2 * 6 + i_x_10) * N + i_x_9], packed_2[i_x_9 * 64 + i_x_11], acc[i_x_10 * 64 + i_x_11]);
              }
            }
          }
          for (int64_t i_p_1 = 0; i_p_1 < 6; i_p_1++) {
            for (int64_t i_p_2 = 0; i_p_2 < 64; i_p_2++) {
              output[(i_block_2 * 6 + i_p_1) * D + i_block_1 * 64 + i_p_2] = share_1 * acc[i_p_1 * 64 + i_p_2];
            }
          }
        }
        for (int64_t i_block_3 = 0; i_block_3 < D % 6; i_block_3++) {
          _Alignas(64) float acc_1[64];
          for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
            acc_1[i_x_12] = 0.0f;
          }
          #pragma GCC unroll 4
          for (int64_t i_p_3 = 0; i_p_3 < 4; i_p_3++) {
            __builtin_prefetch(&output[(i_block_3 + 6 * (D / 6)) * D + i_block_1 * 64 + i_p_3 * 16], 1);
          }
          for (int64_t i_x_13 = 0; i_x_13 < N; i_x_13++) {
            for (int64_t i_x_14 = 0; i_x_14 < 64; i_x_14++) {
              acc_1[i_x_14] = fmaf(rows[(i_block_3 + 6 * (D / 6)) * N + i_x_13], packed_2[i_x_13 * 64 + i_x_14], acc_1[i_x_14]);
            }
          }
          for (int64_t i_p_3 = 0; i_p_3 < 64; i_p_3++) {
            output[(i_block_3 + 6 * (D / 6)) * D + i_block_1 * 64 + i_p_3] = share_1 * acc_1[i_p_3];
          }
        }
      } else {
        report(&status, 2);
      }
      free(packed_2);
    }
    #pragma omp parallel for schedule(static)
    for (int64_t i_block_4 = 0; i_block_4 < (D + 15) / 16 - 4 * (D / 64); i_block_4++) {
      float *const packed_3 = allocate(16 * N, sizeof(float));
      if (packed_3 != NULL) {
        for (int64_t i_x_15 = 0; i_x_15 < N; i_x_15++) {
          for (int64_t i_x_16 = 0; i_x_16 < 16; i_x_16++) {
            packed_3[i_x_15 * 16 + i_x_16] = 64 * (D / 64) < D ? packed_1[i_x_15 * D + min_i64(D % 64 - 1, i_block_4 * 16 + i_x_16) + 64 * (D / 64)] : 0.0f;
          }
        }
        for (int64_t i_block_5 = 0; i_block_5 < D / 6; i_block_5++) {
          _Alignas(64) float acc_2[96];
          for (int64_t i_x_17 = 0; i_x_17 < 6; i_x_17++) {
            for (int64_t i_x_18 = 0; i_x_18 < 16; i_x_18++) {
              acc_2[i_x_17 * 16 + i_x_18] = 0.0f;
            }
          }
          for (int64_t i_x_19 = 0; i_x_19 < N; i_x_19++) {
            for (int64_t i_x_20 = 0; i_x_20 < 6; i_x_20++) {
              for (int64_t i_x_21 = 0; i_x_21 < 16; i_x_21++) {
                acc_2[i_x_20 * 16 + i_x_21] = fmaf(rows[(i_block_5 * 6 + i_x_20) * N + i_x_19], packed_3[i_x_19 * 16 + i_x_21], acc_2[i_x_20 * 16 + i_x_21]);
              }
            }
          }
          for (int64_t i_p_4 = 0; i_p_4 < 6; i_p_4++) {
            for (int64_t i_p_5 = 0; i_p_5 < min_i64(D - i_block_4 * 16 - 64 * (D / 64), 16); i_p_5++) {
              output[(i_block_5 * 6 + i_p_4) * D + i_block_4 * 16 + i_p_5 + 64 * (D / 64)] = share_1 * acc_2[i_p_4 * 16 + i_p_5];
            }
          }
        }
        for (int64_t i_block_6 = 0; i_block_6 < D % 6; i_block_6++) {
          _Alignas(64) float acc_3[16];
          for (int64_t i_x_22 = 0; i_x_22 < 16; i_x_22++) {
            acc_3[i_x_22] = 0.0f;
          }
          for (int64_t i_x_23 = 0; i_x_23 < N; i_x_23++) {
            for (int64_t i_x_24 = 0; i_x_24 < 16; i_x_24++) {
              acc_3[i_x_24] = fmaf(rows[(i_block_6 + 6 * (D / 6)) * N + i_x_23], packed_3[i_x_23 * 16 + i_x_24], acc_3[i_x_24]);
            }
          }
          for (int64_t i_p_6 = 0; i_p_6 < min_i64(D - i_block_4 * 16 - 64 * (D / 64), 16); i_p_6++) {
            output[(i_block_6 + 6 * (D / 6)) * D + i_block_4 * 16 + i_p_6 + 64 * (D / 64)] = share_1 * acc_3[i_p_6];
          }
        }
      } else {
        report(&status, 3);
      }
      free(packed_3);
    }
  } else {
    report(&status, 1);
  }
  free(rows);
  free(packed_1);
  free(packed);
  return status;
}
