// linear_layer(weights: O.I.f32, bias: O.f32, batch: B.I.f32) -> B.O.f32 for all O, I, B
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

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

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
  #pragma omp parallel for schedule(static) if(65535 < ((320 * I_ + 384) * B + 128 * I_) * (O / 64))
  for (int64_t o_block = 0; o_block < O / 64; o_block++) {
    float *const weights_tile = allocate(64 * I_, sizeof(float));
    if (weights_tile != NULL) {
      for (int64_t i_step = 0; i_step < I_ / 16; i_step++) {
        for (int64_t o = 0; o < 64; o++) {
          for (int64_t i_strip = 0; i_strip < 1; i_strip++) {
            __builtin_prefetch(&weights[(o_block * 64 + o + 8) * I_ + i_step * 16 + i_strip * 16]);
          }
          for (int64_t i = 0; i < 16; i++) {
            weights_tile[i_step * 1024 + i * 64 + o] = weights[(o_block * 64 + o) * I_ + i_step * 16 + i];
          }
        }
      }
      for (int64_t i = 0; i < I_ % 16; i++) {
        for (int64_t o = 0; o < 64; o++) {
          weights_tile[i * 64 + o + 1024 * (I_ / 16)] = weights[(o_block * 64 + o) * I_ + i + 16 * (I_ / 16)];
        }
      }
      for (int64_t b_block = 0; b_block < B / 6; b_block++) {
        _Alignas(64) float acc[384];
        for (int64_t b = 0; b < 6; b++) {
          for (int64_t o = 0; o < 64; o++) {
            acc[b * 64 + o] = 0.0f;
          }
        }
        for (int64_t b = 0; b < 6; b++) {
          #pragma GCC unroll 4
          for (int64_t o_tile = 0; o_tile < 4; o_tile++) {
            __builtin_prefetch(&output[(b_block * 6 + b) * O + o_block * 64 + o_tile * 16], 1);
          }
        }
        for (int64_t i = 0; i < I_; i++) {
          if (i % 16 == 0) {
            #pragma GCC unroll 6
            for (int64_t b = 0; b < 6; b++) {
              __builtin_prefetch(&batch[(b_block * 6 + b + 6) * I_ + i]);
            }
          }
          for (int64_t b = 0; b < 6; b++) {
            for (int64_t o = 0; o < 64; o++) {
              acc[b * 64 + o] = fmaf(weights_tile[i * 64 + o], batch[(b_block * 6 + b) * I_ + i], acc[b * 64 + o]);
            }
          }
        }
        for (int64_t b = 0; b < 6; b++) {
          for (int64_t o = 0; o < 64; o++) {
            output[(b_block * 6 + b) * O + o_block * 64 + o] = max_f32(acc[b * 64 + o] + bias[o_block * 64 + o], 0.0f);
          }
        }
      }
      for (int64_t b = 0; b < B % 6; b++) {
        _Alignas(64) float acc[64];
        for (int64_t o = 0; o < 64; o++) {
          acc[o] = 0.0f;
        }
        #pragma GCC unroll 4
        for (int64_t o_tile = 0; o_tile < 4; o_tile++) {
          __builtin_prefetch(&output[(b + 6 * (B / 6)) * O + o_block * 64 + o_tile * 16], 1);
        }
        for (int64_t i = 0; i < I_; i++) {
          for (int64_t o = 0; o < 64; o++) {
            acc[o] = fmaf(weights_tile[i * 64 + o], batch[(b + 6 * (B / 6)) * I_ + i], acc[o]);
          }
        }
        for (int64_t o = 0; o < 64; o++) {
          output[(b + 6 * (B / 6)) * O + o_block * 64 + o] = max_f32(acc[o] + bias[o_block * 64 + o], 0.0f);
        }
      }
    } else {
      report(&status, 1);
    }
    give_memory(weights_tile);
  }
  #pragma omp parallel for schedule(static) if(((320 * I_ + 384) * B + 128 * I_) * (O / 64) + 65535 < ((80 * I_ + 96) * B + 32 * I_) * ((O + 15) / 16))
  for (int64_t o_block = 0; o_block < (O + 15) / 16 - 4 * (O / 64); o_block++) {
    float *const weights_tile = allocate(16 * I_, sizeof(float));
    if (weights_tile != NULL) {
      for (int64_t i_step = 0; i_step < I_ / 16; i_step++) {
        for (int64_t o = 0; o < 16; o++) {
          for (int64_t i = 0; i < 16; i++) {
            weights_tile[i_step * 256 + i * 16 + o] = 64 * (O / 64) < O ? weights[(min_i64(O % 64 - 1, o_block * 16 + o) + 64 * (O / 64)) * I_ + i_step * 16 + i] : 0.0f;
          }
        }
      }
      for (int64_t i = 0; i < I_ % 16; i++) {
        for (int64_t o = 0; o < 16; o++) {
          weights_tile[i * 16 + o + 256 * (I_ / 16)] = 64 * (O / 64) < O ? weights[(min_i64(O % 64 - 1, o_block * 16 + o) + 64 * (O / 64)) * I_ + i + 16 * (I_ / 16)] : 0.0f;
        }
      }
      for (int64_t b_block = 0; b_block < B / 6; b_block++) {
        _Alignas(64) float acc[96];
        for (int64_t b = 0; b < 6; b++) {
          for (int64_t o = 0; o < 16; o++) {
            acc[b * 16 + o] = 0.0f;
          }
        }
        for (int64_t i = 0; i < I_; i++) {
          if (i % 16 == 0) {
            #pragma GCC unroll 6
            for (int64_t b = 0; b < 6; b++) {
              __builtin_prefetch(&batch[(b_block * 6 + b + 6) * I_ + i]);
            }
          }
          for (int64_t b = 0; b < 6; b++) {
            #pragma omp simd
            for (int64_t o = 0; o < 16; o++) {
              acc[b * 16 + o] = fmaf(weights_tile[i * 16 + o], batch[(b_block * 6 + b) * I_ + i], acc[b * 16 + o]);
            }
          }
        }
        for (int64_t b = 0; b < 6; b++) {
          for (int64_t o = 0; o < min_i64(O - o_block * 16 - 64 * (O / 64), 16); o++) {
            output[(b_block * 6 + b) * O + o_block * 16 + o + 64 * (O / 64)] = max_f32(acc[b * 16 + o] + bias[o_block * 16 + o + 64 * (O / 64)], 0.0f);
          }
        }
      }
      for (int64_t b = 0; b < B % 6; b++) {
        _Alignas(64) float acc[16];
        for (int64_t o = 0; o < 16; o++) {
          acc[o] = 0.0f;
        }
        for (int64_t i = 0; i < I_; i++) {
          #pragma omp simd
          for (int64_t o = 0; o < 16; o++) {
            acc[o] = fmaf(weights_tile[i * 16 + o], batch[(b + 6 * (B / 6)) * I_ + i], acc[o]);
          }
        }
        for (int64_t o = 0; o < min_i64(O - o_block * 16 - 64 * (O / 64), 16); o++) {
          output[(b + 6 * (B / 6)) * O + o_block * 16 + o + 64 * (O / 64)] = max_f32(acc[o] + bias[o_block * 16 + o + 64 * (O / 64)], 0.0f);
        }
      }
    } else {
      report(&status, 2);
    }
    give_memory(weights_tile);
  }
  return status;
}
