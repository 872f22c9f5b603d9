// gemm(alpha: f32, beta: f32, A: M.K.f16, B: K.N.f16, C: M.N.f32) -> M.N.f32 for all M, K, N
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

static inline float f32_of_f16(_Float16 a) {
#if defined __clang__ || __GNUC__ > 12 // compilers that make vectors of the conversion itself
  return (float)a;
#else
  const union { _Float16 value; uint16_t bits; } h = {a};
  const uint32_t x = (uint32_t)(h.bits & 0x7fff) << 13, e = x & 0x0f800000;
  union { uint32_t bits; float value; } tiny = {x + 0x38800000}, r = {x + 0x38000000};
  tiny.value -= 0x1p-14f;
  r.bits = (e == 0 ? tiny.bits : e == 0x0f800000 ? x + 0x70000000 : r.bits) | (uint32_t)(h.bits & 0x8000) << 16;
  return r.value;
#endif
}

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

int gemm(
    int64_t M,
    int64_t K,
    int64_t N,
    float alpha,
    float beta,
    const _Float16 *restrict A,
    const _Float16 *restrict B,
    const float *restrict C,
    float *restrict output
) {
  int status = 0;
  const float alpha_1 = alpha;
  const float beta_1 = beta;
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < N / 64; i_x++) {
    float *const packed = allocate(64 * K, sizeof(float));
    if (packed != NULL) {
      for (int64_t i_x_1 = 0; i_x_1 < K; i_x_1++) {
        for (int64_t i_x_2 = 0; i_x_2 < 64; i_x_2++) {
          packed[i_x_1 * 64 + i_x_2] = f32_of_f16(B[i_x_1 * N + i_x * 64 + i_x_2]);
        }
      }
      for (int64_t i_x_3 = 0; i_x_3 < M / 6; i_x_3++) {
        float *const stored = allocate(6 * K, sizeof(float));
        if (stored != NULL) {
          for (int64_t i_x_4 = 0; i_x_4 < K; i_x_4++) {
            for (int64_t i_x_5 = 0; i_x_5 < 6; i_x_5++) {
              stored[i_x_4 * 6 + i_x_5] = f32_of_f16(A[(i_x_3 * 6 + i_x_5) * K + i_x_4]);
            }
          }
          _Alignas(64) float acc[384];
          for (int64_t i_x_6 = 0; i_x_6 < 6; i_x_6++) {
            for (int64_t i_x_7 = 0; i_x_7 < 64; i_x_7++) {
              acc[i_x_6 * 64 + i_x_7] = 0.0f;
            }
          }
          for (int64_t i_p = 0; i_p < 6; i_p++) {
            #pragma GCC unroll 4
            for (int64_t i_p_1 = 0; i_p_1 < 4; i_p_1++) {
              __builtin_prefetch(&output[(i_x_3 * 6 + i_p) * N + i_x * 64 + i_p_1 * 16], 1);
            }
          }
          for (int64_t i_x_8 = 0; i_x_8 < K; i_x_8++) {
            for (int64_t i_x_9 = 0; i_x_9 < 6; i_x_9++) {
              for (int64_t i_x_10 = 0; i_x_10 < 64; i_x_10++) {
                acc[i_x_9 * 64 + i_x_10] = fmaf(stored[i_x_8 * 6 + i_x_9], packed[i_x_8 * 64 + i_x_10], acc[i_x_9 * 64 + i_x_10]);
              }
            }
          }
          for (int64_t i_p = 0; i_p < 6; i_p++) {
            for (int64_t i_p_1 = 0; i_p_1 < 64; i_p_1++) {
              output[(i_x_3 * 6 + i_p) * N + i_x * 64 + i_p_1] = alpha_1 * acc[i_p * 64 + i_p_1] + beta_1 * C[(i_x_3 * 6 + i_p) * N + i_x * 64 + i_p_1];
            }
          }
        } else {
          report(&status, 2);
        }
        free(stored);
      }
      for (int64_t i_x_11 = 0; i_x_11 < M % 6; i_x_11++) {
        _Alignas(64) float acc_1[64];
        for (int64_t i_x_12 = 0; i_x_12 < 64; i_x_12++) {
          acc_1[i_x_12] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t i_p_2 = 0; i_p_2 < 4; i_p_2++) {
          __builtin_prefetch(&output[(i_x_11 + 6 * (M / 6)) * N + i_x * 64 + i_p_2 * 16], 1);
        }
        for (int64_t i_x_13 = 0; i_x_13 < K; i_x_13++) {
          for (int64_t i_x_14 = 0; i_x_14 < 64; i_x_14++) {
            acc_1[i_x_14] = fmaf(f32_of_f16(A[(i_x_11 + 6 * (M / 6)) * K + i_x_13]), packed[i_x_13 * 64 + i_x_14], acc_1[i_x_14]);
          }
        }
        for (int64_t i_p_2 = 0; i_p_2 < 64; i_p_2++) {
          output[(i_x_11 + 6 * (M / 6)) * N + i_x * 64 + i_p_2] = alpha_1 * acc_1[i_p_2] + beta_1 * C[(i_x_11 + 6 * (M / 6)) * N + i_x * 64 + i_p_2];
        }
      }
    } else {
      report(&status, 1);
    }
    free(packed);
  }
  #pragma omp parallel for schedule(static)
  for (int64_t i_x_15 = 0; i_x_15 < (N + 15) / 16 - 4 * (N / 64); i_x_15++) {
    float *const packed_1 = allocate(16 * K, sizeof(float));
    if (packed_1 != NULL) {
      for (int64_t i_x_16 = 0; i_x_16 < K; i_x_16++) {
        for (int64_t i_x_17 = 0; i_x_17 < 16; i_x_17++) {
          packed_1[i_x_16 * 16 + i_x_17] = f32_of_f16(64 * (N / 64) < N ? B[i_x_16 * N + min_i64(N % 64 - 1, i_x_15 * 16 + i_x_17) + 64 * (N / 64)] : (_Float16)0.0f);
        }
      }
      for (int64_t i_x_18 = 0; i_x_18 < M / 6; i_x_18++) {
        float *const stored_1 = allocate(6 * K, sizeof(float));
        if (stored_1 != NULL) {
          for (int64_t i_x_19 = 0; i_x_19 < K; i_x_19++) {
            for (int64_t i_x_20 = 0; i_x_20 < 6; i_x_20++) {
              stored_1[i_x_19 * 6 + i_x_20] = f32_of_f16(A[(i_x_18 * 6 + i_x_20) * K + i_x_19]);
            }
          }
          _Alignas(64) float acc_2[96];
          for (int64_t i_x_21 = 0; i_x_21 < 6; i_x_21++) {
            for (int64_t i_x_22 = 0; i_x_22 < 16; i_x_22++) {
              acc_2[i_x_21 * 16 + i_x_22] = 0.0f;
            }
          }
          for (int64_t i_x_23 = 0; i_x_23 < K; i_x_23++) {
            for (int64_t i_x_24 = 0; i_x_24 < 6; i_x_24++) {
              for (int64_t i_x_25 = 0; i_x_25 < 16; i_x_25++) {
                acc_2[i_x_24 * 16 + i_x_25] = fmaf(stored_1[i_x_23 * 6 + i_x_24], packed_1[i_x_23 * 16 + i_x_25], acc_2[i_x_24 * 16 + i_x_25]);
              }
            }
          }
          for (int64_t i_p_3 = 0; i_p_3 < 6; i_p_3++) {
            for (int64_t i_p_4 = 0; i_p_4 < min_i64(N - i_x_15 * 16 - 64 * (N / 64), 16); i_p_4++) {
              output[(i_x_18 * 6 + i_p_3) * N + i_x_15 * 16 + i_p_4 + 64 * (N / 64)] = alpha_1 * acc_2[i_p_3 * 16 + i_p_4] + beta_1 * C[(i_x_18 * 6 + i_p_3) * N + i_x_15 * 16 + i_p_4 + 64 * (N / 64)];
            }
          }
        } else {
          report(&status, 4);
        }
        free(stored_1);
      }
      for (int64_t i_x_26 = 0; i_x_26 < M % 6; i_x_26++) {
        _Alignas(64) float acc_3[16];
        for (int64_t i_x_27 = 0; i_x_27 < 16; i_x_27++) {
          acc_3[i_x_27] = 0.0f;
        }
        for (int64_t i_x_28 = 0; i_x_28 < K; i_x_28++) {
          for (int64_t i_x_29 = 0; i_x_29 < 16; i_x_29++) {
            acc_3[i_x_29] = fmaf(f32_of_f16(A[(i_x_26 + 6 * (M / 6)) * K + i_x_28]), packed_1[i_x_28 * 16 + i_x_29], acc_3[i_x_29]);
          }
        }
        for (int64_t i_p_5 = 0; i_p_5 < min_i64(N - i_x_15 * 16 - 64 * (N / 64), 16); i_p_5++) {
          output[(i_x_26 + 6 * (M / 6)) * N + i_x_15 * 16 + i_p_5 + 64 * (N / 64)] = alpha_1 * acc_3[i_p_5] + beta_1 * C[(i_x_26 + 6 * (M / 6)) * N + i_x_15 * 16 + i_p_5 + 64 * (N / 64)];
        }
      }
    } else {
      report(&status, 3);
    }
    free(packed_1);
  }
  return status;
}
