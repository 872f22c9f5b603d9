// linear_layer(weights: O.I.f32, bias: O.f32, batch: B.I.f32) -> B.O.f32 for all O, I, B
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

static inline float max_f32(float a, float b) { const float r = a > b ? a : b; return a != a ? a : r; }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int linear_layer(
    int64_t O,
    int64_t I_,
    int64_t B,
    const float *restrict weights,
    const float *restrict bias,
    const float *restrict batch,
    float *restrict output
) {
  int status = 0;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < O / 64; i_x++) {
    float *const packed = allocate(64 * I_, sizeof(float));
    if (packed != NULL) {
      for (int64_t i_block = 0; i_block < I_ / 16; i_block++) {
        for (int64_t i_x_1 = 0; i_x_1 < 64; i_x_1++) {
          for (int64_t i_x_2 = 0; i_x_2 < 1; i_x_2++) {
            __builtin_prefetch(&weights[(i_x * 64 + i_x_1 + 8) * I_ + i_block * 16 + i_x_2 * 16]);
          }
          for (int64_t i_x_2 = 0; i_x_2 < 16; i_x_2++) {
            packed[i_block * 1024 + i_x_2 * 64 + i_x_1] = weights[(i_x * 64 + i_x_1) * I_ + i_block * 16 + i_x_2];
          }
        }
      }
      for (int64_t i_x_3 = 0; i_x_3 < I_ % 16; i_x_3++) {
        for (int64_t i_x_4 = 0; i_x_4 < 64; i_x_4++) {
          packed[i_x_3 * 64 + i_x_4 + 1024 * (I_ / 16)] = weights[(i_x * 64 + i_x_4) * I_ + i_x_3 + 16 * (I_ / 16)];
        }
      }
      for (int64_t i_block_1 = 0; i_block_1 < B / 6; i_block_1++) {
        _Alignas(64) float acc[384];
        for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
          for (int64_t i_x_6 = 0; i_x_6 < 64; i_x_6++) {
            acc[i_x_5 * 64 + i_x_6] = 0.0f;
          }
        }
        for (int64_t i_p = 0; i_p < 6; i_p++) {
          #pragma GCC unroll 4
          for (int64_t i_p_1 = 0; i_p_1 < 4; i_p_1++) {
            __builtin_prefetch(&output[(i_block_1 * 6 + i_p) * O + i_x * 64 + i_p_1 * 16], 1);
          }
        }
        for (int64_t i_x_7 = 0; i_x_7 < I_; i_x_7++) {
          if (i_x_7 < i_x_7 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_8 = 0; i_x_8 < 6; i_x_8++) {
              __builtin_prefetch(&batch[(i_block_1 * 6 + i_x_8 + 6) * I_ + i_x_7]);
            }
          }
          for (int64_t i_x_8 = 0; i_x_8 < 6; i_x_8++) {
            for (int64_t i_x_9 = 0; i_x_9 < 64; i_x_9++) {
              acc[i_x_8 * 64 + i_x_9] = fmaf(packed[i_x_7 * 64 + i_x_9], batch[(i_block_1 * 6 + i_x_8) * I_ + i_x_7], acc[i_x_8 * 64 + i_x_9]);
            }
          }
        }
        for (int64_t i_p = 0; i_p < 6; i_p++) {
          for (int64_t i_p_1 = 0; i_p_1 < 64; i_p_1++) {
            output[(i_block_1 * 6 + i_p) * O + i_x * 64 + i_p_1] = max_f32(acc[i_p * 64 + i_p_1] + bias[i_x * 64 + i_p_1], 0.0f);
          }
        }
      }
      for (int64_t i_block_2 = 0; i_block_2 < B % 6; i_block_2++) {
        _Alignas(64) float acc_1[64];
        for (int64_t i_x_10 = 0; i_x_10 < 64; i_x_10++) {
          acc_1[i_x_10] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t i_p_2 = 0; i_p_2 < 4; i_p_2++) {
          __builtin_prefetch(&output[(i_block_2 + 6 * (B / 6)) * O + i_x * 64 + i_p_2 * 16], 1);
        }
        for (int64_t i_x_11 = 0; i_x_11 < I_; i_x_11++) {
          for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
            acc_1[i_x_12] = fmaf(packed[i_x_11 * 64 + i_x_12], batch[(i_block_2 + 6 * (B / 6)) * I_ + i_x_11], acc_1[i_x_12]);
          }
        }
        for (int64_t i_p_2 = 0; i_p_2 < 64; i_p_2++) {
          output[(i_block_2 + 6 * (B / 6)) * O + i_x * 64 + i_p_2] = max_f32(acc_1[i_p_2] + bias[i_x * 64 + i_p_2], 0.0f);
        }
      }
    } else {
      report(&status, 1);
    }
    free(packed);
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x_13 = 0; i_x_13 < (O + 15) / 16 - 4 * (O / 64); i_x_13++) {
    float *const packed_1 = allocate(16 * I_, sizeof(float));
    if (packed_1 != NULL) {
      for (int64_t i_block_3 = 0; i_block_3 < I_ / 16; i_block_3++) {
        for (int64_t i_x_14 = 0; i_x_14 < 16; i_x_14++) {
          for (int64_t i_x_15 = 0; i_x_15 < 16; i_x_15++) {
            packed_1[i_block_3 * 256 + i_x_15 * 16 + i_x_14] = 64 * (O / 64) < O ? weights[(min_i64(O % 64 - 1, i_x_13 * 16 + i_x_14) + 64 * (O / 64)) * I_ + i_block_3 * 16 + i_x_15] : 0.0f;
          }
        }
      }
      for (int64_t i_x_16 = 0; i_x_16 < I_ % 16; i_x_16++) {
        for (int64_t i_x_17 = 0; i_x_17 < 16; i_x_17++) {
          packed_1[i_x_16 * 16 + i_x_17 + 256 * (I_ / 16)] = 64 * (O / 64) < O ? weights[(min_i64(O % 64 - 1, i_x_13 * 16 + i_x_17) + 64 * (O / 64)) * I_ + i_x_16 + 16 * (I_ / 16)] : 0.0f;
        }
      }
      for (int64_t i_block_4 = 0; i_block_4 < B / 6; i_block_4++) {
        _Alignas(64) float acc_2[96];
        for (int64_t i_x_18 = 0; i_x_18 < 6; i_x_18++) {
          for (int64_t i_x_19 = 0; i_x_19 < 16; i_x_19++) {
            acc_2[i_x_18 * 16 + i_x_19] = 0.0f;
          }
        }
        for (int64_t i_x_20 = 0; i_x_20 < I_; i_x_20++) {
          if (i_x_20 < i_x_20 / 16 * 16 + 1) {
            #pragma GCC unroll 6
            for (int64_t i_x_21 = 0; i_x_21 < 6; i_x_21++) {
              __builtin_prefetch(&batch[(i_block_4 * 6 + i_x_21 + 6) * I_ + i_x_20]);
            }
          }
          for (int64_t i_x_21 = 0; i_x_21 < 6; i_x_21++) {
            for (int64_t i_x_22 = 0; i_x_22 < 16; i_x_22++) {
              acc_2[i_x_21 * 16 + i_x_22] = fmaf(packed_1[i_x_20 * 16 + i_x_22], batch[(i_block_4 * 6 + i_x_21) * I_ + i_x_20], acc_2[i_x_21 * 16 + i_x_22]);
            }
          }
        }
        for (int64_t i_p_3 = 0; i_p_3 < 6; i_p_3++) {
          for (int64_t i_p_4 = 0; i_p_4 < min_i64(O - i_x_13 * 16 - 64 * (O / 64), 16); i_p_4++) {
            output[(i_block_4 * 6 + i_p_3) * O + i_x_13 * 16 + i_p_4 + 64 * (O / 64)] = max_f32(acc_2[i_p_3 * 16 + i_p_4] + bias[i_x_13 * 16 + i_p_4 + 64 * (O / 64)], 0.0f);
          }
        }
      }
      for (int64_t i_block_5 = 0; i_block_5 < B % 6; i_block_5++) {
        _Alignas(64) float acc_3[16];
        for (int64_t i_x_23 = 0; i_x_23 < 16; i_x_23++) {
          acc_3[i_x_23] = 0.0f;
        }
        for (int64_t i_x_24 = 0; i_x_24 < I_; i_x_24++) {
          for (int64_t i_x_25 = 0; i_x_25 < 16; i_x_25++) {
            acc_3[i_x_25] = fmaf(packed_1[i_x_24 * 16 + i_x_25], batch[(i_block_5 + 6 * (B / 6)) * I_ + i_x_24], acc_3[i_x_25]);
          }
        }
        for (int64_t i_p_5 = 0; i_p_5 < min_i64(O - i_x_13 * 16 - 64 * (O / 64), 16); i_p_5++) {
          output[(i_block_5 + 6 * (B / 6)) * O + i_x_13 * 16 + i_p_5 + 64 * (O / 64)] = max_f32(acc_3[i_p_5] + bias[i_x_13 * 16 + i_p_5 + 64 * (O / 64)], 0.0f);
        }
      }
    } else {
      report(&status, 2);
    }
    free(packed_1);
  }
  return status;
}
