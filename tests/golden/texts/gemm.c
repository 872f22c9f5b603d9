// gemm(alpha: f32, beta: f32, A: M.K.f16, B: K.N.f16, C: M.N.f32) -> M.N.f32 for all M, K, N
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

static inline float f32_of_f16_at(const _Float16 *p) {
#if defined __clang__ || __GNUC__ > 12 // compilers that make vectors of the conversion itself
  return (float)*p;
#else
  typedef uint16_t __attribute__((may_alias)) half_bits;
  const uint16_t bits = *(const half_bits *)p;
  const uint32_t x = (uint32_t)(bits & 0x7fff) << 13, e = x & 0x0f800000;
  union { uint32_t bits; float value; } tiny = {x + 0x38800000}, r = {x + 0x38000000};
  tiny.value -= 0x1p-14f;
  r.bits = (e == 0 ? tiny.bits : e == 0x0f800000 ? x + 0x70000000 : r.bits) | (uint32_t)(bits & 0x8000) << 16;
  return r.value;
#endif
}

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

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
  float *const A_tile = allocate(K * M, sizeof(float));
  if (A_tile != NULL) {
    #pragma omp parallel for schedule(static) if(21845 < K * M)
    for (int64_t m = 0; m < M; m++) {
      for (int64_t k = 0; k < K; k++) {
        A_tile[m * K + k] = f32_of_f16_at(&A[m * K + k]);
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < ((320 * M + 192) * K + 448 * M) * (N / 64))
    for (int64_t n_block = 0; n_block < N / 64; n_block++) {
      float *const B_tile = allocate(64 * K, sizeof(float));
      if (B_tile != NULL) {
        for (int64_t k = 0; k < K; k++) {
          for (int64_t n = 0; n < 64; n++) {
            B_tile[k * 64 + n] = f32_of_f16_at(&B[k * N + n_block * 64 + n]);
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
                acc[m * 64 + n] = fmaf(A_tile[(m_block * 6 + m) * K + k], B_tile[k * 64 + n], acc[m * 64 + n]);
              }
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < 64; n++) {
              const int64_t at_n_m = (m_block * 6 + m) * N + n_block * 64 + n;
              output[at_n_m] = alpha * acc[m * 64 + n] + beta * C[at_n_m];
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
              acc[n] = fmaf(A_tile[(m + 6 * (M / 6)) * K + k], B_tile[k * 64 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < 64; n++) {
            const int64_t at_n_m = (m + 6 * (M / 6)) * N + n_block * 64 + n;
            output[at_n_m] = alpha * acc[n] + beta * C[at_n_m];
          }
        }
      } else {
        report(&status, 2);
      }
      give_memory(B_tile);
    }
    #pragma omp parallel for schedule(static) if(((320 * M + 192) * K + 448 * M) * (N / 64) + 65535 < ((80 * M + 48) * K + 112 * M) * ((N + 15) / 16))
    for (int64_t n_block = 0; n_block < (N + 15) / 16 - 4 * (N / 64); n_block++) {
      float *const B_tile = allocate(16 * K, sizeof(float));
      if (B_tile != NULL) {
        for (int64_t k = 0; k < K; k++) {
          for (int64_t n = 0; n < 16; n++) {
            B_tile[k * 16 + n] = f32_of_f16(64 * (N / 64) < N ? B[k * N + min_i64(N % 64 - 1, n_block * 16 + n) + 64 * (N / 64)] : (_Float16)0.0f);
          }
        }
        for (int64_t m_block = 0; m_block < M / 6; m_block++) {
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
                acc[m * 16 + n] = fmaf(A_tile[(m_block * 6 + m) * K + k], B_tile[k * 16 + n], acc[m * 16 + n]);
              }
            }
          }
          for (int64_t m = 0; m < 6; m++) {
            for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
              const int64_t at_n_m = (m_block * 6 + m) * N + n_block * 16 + n + 64 * (N / 64);
              output[at_n_m] = alpha * acc[m * 16 + n] + beta * C[at_n_m];
            }
          }
        }
        for (int64_t m = 0; m < M % 6; m++) {
          _Alignas(64) float acc[16];
          for (int64_t n = 0; n < 16; n++) {
            acc[n] = 0.0f;
          }
          for (int64_t k = 0; k < K; k++) {
            #pragma omp simd
            for (int64_t n = 0; n < 16; n++) {
              acc[n] = fmaf(A_tile[(m + 6 * (M / 6)) * K + k], B_tile[k * 16 + n], acc[n]);
            }
          }
          for (int64_t n = 0; n < min_i64(N - n_block * 16 - 64 * (N / 64), 16); n++) {
            const int64_t at_n_m = (m + 6 * (M / 6)) * N + n_block * 16 + n + 64 * (N / 64);
            output[at_n_m] = alpha * acc[n] + beta * C[at_n_m];
          }
        }
      } else {
        report(&status, 3);
      }
      give_memory(B_tile);
    }
  } else {
    report(&status, 1);
  }
  give_memory(A_tile);
  return status;
}
