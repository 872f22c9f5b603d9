// covariance(share: f32, table: N.D.f32) -> D.D.f32 for all N, D
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

int covariance(int64_t N, int64_t D, float share, const float *restrict table, float *restrict output) {
  int status = 0;
  float *const mean = allocate(D, sizeof(float));
  float *const packed_from_table = allocate(D * N, sizeof(float));
  if (mean != NULL && packed_from_table != NULL) {
    #pragma omp parallel for schedule(static) if(65535 < (4 * N + 4) * D)
    for (int64_t d_step = 0; d_step < 4 * (D / 1024); d_step++) {
      _Alignas(64) float sums_of_d_step[256];
      for (int64_t d_row = 0; d_row < 256; d_row++) {
        sums_of_d_step[d_row] = 0.0f;
      }
      for (int64_t n_step = 0; n_step < N / 4; n_step++) {
        for (int64_t d_row = 0; d_row < 256; d_row++) {
          sums_of_d_step[d_row] = sums_of_d_step[d_row] + table[n_step * 4 * D + d_step * 256 + d_row];
          sums_of_d_step[d_row] = sums_of_d_step[d_row] + table[(n_step * 4 + 1) * D + d_step * 256 + d_row];
          sums_of_d_step[d_row] = sums_of_d_step[d_row] + table[(n_step * 4 + 2) * D + d_step * 256 + d_row];
          sums_of_d_step[d_row] = sums_of_d_step[d_row] + table[(n_step * 4 + 3) * D + d_step * 256 + d_row];
        }
      }
      for (int64_t n = 0; n < N % 4; n++) {
        for (int64_t d_row = 0; d_row < 256; d_row++) {
          sums_of_d_step[d_row] = sums_of_d_step[d_row] + table[(n + 4 * (N / 4)) * D + d_step * 256 + d_row];
        }
      }
      for (int64_t d_row = 0; d_row < 256; d_row++) {
        mean[d_step * 256 + d_row] = share * sums_of_d_step[d_row];
      }
    }
    #pragma omp parallel for schedule(static) if(65535 < (4 * N + 4) * D)
    for (int64_t d_step = 0; d_step < D / 128 - 8 * (D / 1024); d_step++) {
      _Alignas(64) float sums[128];
      for (int64_t d_row = 0; d_row < 128; d_row++) {
        sums[d_row] = 0.0f;
      }
      for (int64_t n_step = 0; n_step < N / 4; n_step++) {
        for (int64_t d_row = 0; d_row < 128; d_row++) {
          sums[d_row] = sums[d_row] + table[n_step * 4 * D + d_step * 128 + d_row + 1024 * (D / 1024)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 1) * D + d_step * 128 + d_row + 1024 * (D / 1024)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 2) * D + d_step * 128 + d_row + 1024 * (D / 1024)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 3) * D + d_step * 128 + d_row + 1024 * (D / 1024)];
        }
      }
      for (int64_t n = 0; n < N % 4; n++) {
        for (int64_t d_row = 0; d_row < 128; d_row++) {
          sums[d_row] = sums[d_row] + table[(n + 4 * (N / 4)) * D + d_step * 128 + d_row + 1024 * (D / 1024)];
        }
      }
      for (int64_t d_row = 0; d_row < 128; d_row++) {
        mean[d_step * 128 + d_row + 1024 * (D / 1024)] = share * sums[d_row];
      }
    }
    if (128 * (D / 128) < D) {
      _Alignas(64) float sums[128];
      for (int64_t d_row = 0; d_row < D % 128; d_row++) {
        sums[d_row] = 0.0f;
      }
      for (int64_t n_step = 0; n_step < N / 4; n_step++) {
        for (int64_t d_row = 0; d_row < D % 128; d_row++) {
          sums[d_row] = sums[d_row] + table[n_step * 4 * D + d_row + 128 * (D / 128)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 1) * D + d_row + 128 * (D / 128)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 2) * D + d_row + 128 * (D / 128)];
          sums[d_row] = sums[d_row] + table[(n_step * 4 + 3) * D + d_row + 128 * (D / 128)];
        }
      }
      for (int64_t n = 0; n < N % 4; n++) {
        for (int64_t d_row = 0; d_row < D % 128; d_row++) {
          sums[d_row] = sums[d_row] + table[(n + 4 * (N / 4)) * D + d_row + 128 * (D / 128)];
        }
      }
      for (int64_t d_row = 0; d_row < D % 128; d_row++) {
        mean[d_row + 128 * (D / 128)] = share * sums[d_row];
      }
    }
    #pragma omp parallel for schedule(static) if(16383 < D * N)
    for (int64_t n = 0; n < N; n++) {
      for (int64_t d_row = 0; d_row < D; d_row++) {
        packed_from_table[n * D + d_row] = table[n * D + d_row] - mean[d_row];
      }
    }
    const bool is_less = D < 129;
    if (is_less) {
      #pragma omp parallel for schedule(static) if(65535 < ((320 * N + 256 * (N / 256) + 512) * D + 128 * N) * (D / 64))
      for (int64_t d_column_block = 0; d_column_block < D / 64; d_column_block++) {
        float *const sums_of_d_column_block = allocate(64 * D, sizeof(float));
        _Alignas(64) float packed_of_d_column_block_near[1024];
        float *const packed_of_d_column_block = 64 * (N % 256) <= 1024 ? packed_of_d_column_block_near : allocate(64 * (N % 256), sizeof(float));
        if (sums_of_d_column_block != NULL && packed_of_d_column_block != NULL) {
          for (int64_t d_row = 0; d_row < D; d_row++) {
            for (int64_t d_column = 0; d_column < 64; d_column++) {
              sums_of_d_column_block[d_row * 64 + d_column] = 0.0f;
            }
          }
          for (int64_t i_step = 0; i_step < N / 256; i_step++) {
            float *const packed_of_i_step = allocate(16384, sizeof(float));
            if (packed_of_i_step != NULL) {
              for (int64_t n = 0; n < 256; n++) {
                for (int64_t d_row = 0; d_row < 64; d_row++) {
                  packed_of_i_step[n * 64 + d_row] = packed_from_table[(i_step * 256 + n) * D + d_column_block * 64 + d_row];
                }
              }
              for (int64_t i = 0; i < D / 6; i++) {
                _Alignas(64) float acc[384];
                for (int64_t d_row = 0; d_row < 6; d_row++) {
                  for (int64_t d_column = 0; d_column < 64; d_column++) {
                    acc[d_row * 64 + d_column] = sums_of_d_column_block[i * 384 + d_row * 64 + d_column];
                  }
                }
                for (int64_t n = 0; n < 256; n++) {
                  for (int64_t d_row = 0; d_row < 6; d_row++) {
                    for (int64_t d_column = 0; d_column < 64; d_column++) {
                      acc[d_row * 64 + d_column] = fmaf(packed_from_table[(i_step * 256 + n) * D + i * 6 + d_row], packed_of_i_step[n * 64 + d_column], acc[d_row * 64 + d_column]);
                    }
                  }
                }
                for (int64_t d_row = 0; d_row < 6; d_row++) {
                  for (int64_t d_column = 0; d_column < 64; d_column++) {
                    sums_of_d_column_block[i * 384 + d_row * 64 + d_column] = acc[d_row * 64 + d_column];
                  }
                }
              }
              for (int64_t d_row = 0; d_row < D % 6; d_row++) {
                _Alignas(64) float acc[64];
                for (int64_t d_column = 0; d_column < 64; d_column++) {
                  acc[d_column] = sums_of_d_column_block[d_row * 64 + d_column + 384 * (D / 6)];
                }
                for (int64_t n = 0; n < 256; n++) {
                  for (int64_t d_column = 0; d_column < 64; d_column++) {
                    acc[d_column] = fmaf(packed_from_table[(i_step * 256 + n) * D + d_row + 6 * (D / 6)], packed_of_i_step[n * 64 + d_column], acc[d_column]);
                  }
                }
                for (int64_t d_column = 0; d_column < 64; d_column++) {
                  sums_of_d_column_block[d_row * 64 + d_column + 384 * (D / 6)] = acc[d_column];
                }
              }
            } else {
              report(&status, 3);
            }
            give_memory(packed_of_i_step);
          }
          for (int64_t n = 0; n < N % 256; n++) {
            for (int64_t d_row = 0; d_row < 64; d_row++) {
              packed_of_d_column_block[n * 64 + d_row] = packed_from_table[(n + 256 * (N / 256)) * D + d_column_block * 64 + d_row];
            }
          }
          for (int64_t i = 0; i < D / 6; i++) {
            _Alignas(64) float acc[384];
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              for (int64_t d_column = 0; d_column < 64; d_column++) {
                acc[d_row * 64 + d_column] = sums_of_d_column_block[i * 384 + d_row * 64 + d_column];
              }
            }
            for (int64_t n = 0; n < N % 256; n++) {
              for (int64_t d_row = 0; d_row < 6; d_row++) {
                for (int64_t d_column = 0; d_column < 64; d_column++) {
                  acc[d_row * 64 + d_column] = fmaf(packed_from_table[(n + 256 * (N / 256)) * D + i * 6 + d_row], packed_of_d_column_block[n * 64 + d_column], acc[d_row * 64 + d_column]);
                }
              }
            }
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              for (int64_t d_column = 0; d_column < 64; d_column++) {
                sums_of_d_column_block[i * 384 + d_row * 64 + d_column] = acc[d_row * 64 + d_column];
              }
            }
          }
          for (int64_t d_row = 0; d_row < D % 6; d_row++) {
            _Alignas(64) float acc[64];
            for (int64_t d_column = 0; d_column < 64; d_column++) {
              acc[d_column] = sums_of_d_column_block[d_row * 64 + d_column + 384 * (D / 6)];
            }
            for (int64_t n = 0; n < N % 256; n++) {
              for (int64_t d_column = 0; d_column < 64; d_column++) {
                acc[d_column] = fmaf(packed_from_table[(n + 256 * (N / 256)) * D + d_row + 6 * (D / 6)], packed_of_d_column_block[n * 64 + d_column], acc[d_column]);
              }
            }
            for (int64_t d_column = 0; d_column < 64; d_column++) {
              sums_of_d_column_block[d_row * 64 + d_column + 384 * (D / 6)] = acc[d_column];
            }
          }
          for (int64_t d_row = 0; d_row < D; d_row++) {
            for (int64_t d_column = 0; d_column < 64; d_column++) {
              output[d_row * D + d_column_block * 64 + d_column] = share * sums_of_d_column_block[d_row * 64 + d_column];
            }
          }
        } else {
          report(&status, 2);
        }
        if (packed_of_d_column_block != packed_of_d_column_block_near) give_memory(packed_of_d_column_block);
        give_memory(sums_of_d_column_block);
      }
      float *const stored = allocate((16 * ((D + 15) / 16) - 64 * (D / 64)) * D, sizeof(float));
      float *const sums = allocate((16 * ((D + 15) / 16) - 64 * (D / 64)) * D, sizeof(float));
      float *const packed = allocate((16 * ((D + 15) / 16) - 64 * (D / 64)) * (N % 256), sizeof(float));
      if (stored != NULL && sums != NULL && packed != NULL) {
        #pragma omp parallel for schedule(static) if(64 * D * (D / 64) + 65535 < 16 * D * ((D + 15) / 16))
        for (int64_t d_row = 0; d_row < D; d_row++) {
          for (int64_t d_column = 0; d_column < 16 * ((D + 15) / 16) - 64 * (D / 64); d_column++) {
            sums[d_row * 16 * ((D + 15) / 16) - d_row * 64 * (D / 64) + d_column] = 0.0f;
          }
        }
        for (int64_t i_step = 0; i_step < N / 256; i_step++) {
          _Alignas(64) float packed_of_i_step_near[1024];
          float *const packed_of_i_step = 4096 * ((D + 15) / 16) - 16384 * (D / 64) <= 1024 ? packed_of_i_step_near : allocate(4096 * ((D + 15) / 16) - 16384 * (D / 64), sizeof(float));
          if (packed_of_i_step != NULL) {
            for (int64_t i_columns = 0; i_columns < (D + 15) / 16 - 4 * (D / 64) - 1; i_columns++) {
              for (int64_t n = 0; n < 256; n++) {
                #pragma omp simd
                for (int64_t d_row = 0; d_row < 16; d_row++) {
                  packed_of_i_step[i_columns * 4096 + n * 16 + d_row] = 64 * (D / 64) < D ? packed_from_table[(i_step * 256 + n) * D + i_columns * 16 + d_row + 64 * (D / 64)] : 0.0f;
                }
              }
            }
            for (int64_t i_columns = 0; i_columns < min_i64((D + 15) / 16 - 4 * (D / 64), 1); i_columns++) {
              for (int64_t n = 0; n < 256; n++) {
                for (int64_t d_row = 0; d_row < 16; d_row++) {
                  packed_of_i_step[i_columns * 4096 + n * 16 + d_row + 4096 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)] = 64 * (D / 64) < D ? packed_from_table[(i_step * 256 + n) * D + min_i64(D % 64 - 1, i_columns * 16 + d_row + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) + 64 * (D / 64)] : 0.0f;
                }
              }
            }
            for (int64_t i = 0; i < D / 6; i++) {
              for (int64_t j = 0; j < (D + 15) / 16 - 4 * (D / 64); j++) {
                _Alignas(64) float acc[96];
                for (int64_t d_row = 0; d_row < 6; d_row++) {
                  #pragma omp simd
                  for (int64_t d_column = 0; d_column < 16; d_column++) {
                    acc[d_row * 16 + d_column] = sums[(i * -384 - d_row * 64) * (D / 64) + (i * 96 + d_row * 16) * ((D + 15) / 16) + j * 16 + d_column];
                  }
                }
                for (int64_t n = 0; n < 256; n++) {
                  for (int64_t d_row = 0; d_row < 6; d_row++) {
                    #pragma omp simd
                    for (int64_t d_row_1 = 0; d_row_1 < 16; d_row_1++) {
                      acc[d_row * 16 + d_row_1] = fmaf(packed_from_table[(i_step * 256 + n) * D + i * 6 + d_row], packed_of_i_step[j * 4096 + n * 16 + d_row_1], acc[d_row * 16 + d_row_1]);
                    }
                  }
                }
                for (int64_t d_row = 0; d_row < 6; d_row++) {
                  #pragma omp simd
                  for (int64_t d_column = 0; d_column < 16; d_column++) {
                    sums[(i * -384 - d_row * 64) * (D / 64) + (i * 96 + d_row * 16) * ((D + 15) / 16) + j * 16 + d_column] = acc[d_row * 16 + d_column];
                  }
                }
              }
            }
            for (int64_t d_row = 0; d_row < D % 6; d_row++) {
              for (int64_t i = 0; i < (D + 15) / 16 - 4 * (D / 64); i++) {
                _Alignas(64) float acc[16];
                #pragma omp simd
                for (int64_t d_column = 0; d_column < 16; d_column++) {
                  acc[d_column] = sums[(d_row * -64 - 384 * (D / 6)) * (D / 64) + (d_row * 16 + 96 * (D / 6)) * ((D + 15) / 16) + i * 16 + d_column];
                }
                for (int64_t n = 0; n < 256; n++) {
                  #pragma omp simd
                  for (int64_t d_row_1 = 0; d_row_1 < 16; d_row_1++) {
                    acc[d_row_1] = fmaf(packed_from_table[(i_step * 256 + n) * D + d_row + 6 * (D / 6)], packed_of_i_step[i * 4096 + n * 16 + d_row_1], acc[d_row_1]);
                  }
                }
                #pragma omp simd
                for (int64_t d_column = 0; d_column < 16; d_column++) {
                  sums[(d_row * -64 - 384 * (D / 6)) * (D / 64) + (d_row * 16 + 96 * (D / 6)) * ((D + 15) / 16) + i * 16 + d_column] = acc[d_column];
                }
              }
            }
          } else {
            report(&status, 5);
          }
          if (packed_of_i_step != packed_of_i_step_near) give_memory(packed_of_i_step);
        }
        #pragma omp parallel for schedule(static) if(8192 * ((D + 15) / 16) * (N / 256) + 128 * N * (D / 64) + 65535 < 32768 * (D / 64) * (N / 256) + 32 * N * ((D + 15) / 16))
        for (int64_t i_columns = 0; i_columns < (D + 15) / 16 - 4 * (D / 64) - 1; i_columns++) {
          for (int64_t n = 0; n < N % 256; n++) {
            #pragma omp simd
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              packed[i_columns * 16 * N - i_columns * 4096 * (N / 256) + n * 16 + d_row] = 64 * (D / 64) < D ? packed_from_table[(n + 256 * (N / 256)) * D + i_columns * 16 + d_row + 64 * (D / 64)] : 0.0f;
            }
          }
        }
        for (int64_t i_columns = 0; i_columns < min_i64((D + 15) / 16 - 4 * (D / 64), 1); i_columns++) {
          for (int64_t n = 0; n < N % 256; n++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              packed[(i_columns * -4096 - 4096 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) * (N / 256) + (i_columns * 16 + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) * N + n * 16 + d_row] = 64 * (D / 64) < D ? packed_from_table[(n + 256 * (N / 256)) * D + min_i64(D % 64 - 1, i_columns * 16 + d_row + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) + 64 * (D / 64)] : 0.0f;
            }
          }
        }
        #pragma omp parallel for schedule(static) if((122880 * ((D + 15) / 16) * (N / 256) + (1920 * N + 1536) * (D / 64)) * (D / 6) + 65535 < (491520 * (D / 64) * (N / 256) + (480 * N + 384) * ((D + 15) / 16)) * (D / 6))
        for (int64_t i = 0; i < D / 6; i++) {
          for (int64_t j = 0; j < (D + 15) / 16 - 4 * (D / 64); j++) {
            _Alignas(64) float acc[96];
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              #pragma omp simd
              for (int64_t d_column = 0; d_column < 16; d_column++) {
                acc[d_row * 16 + d_column] = sums[(i * -384 - d_row * 64) * (D / 64) + (i * 96 + d_row * 16) * ((D + 15) / 16) + j * 16 + d_column];
              }
            }
            for (int64_t n = 0; n < N % 256; n++) {
              for (int64_t d_row = 0; d_row < 6; d_row++) {
                #pragma omp simd
                for (int64_t d_column = 0; d_column < 16; d_column++) {
                  acc[d_row * 16 + d_column] = fmaf(packed_from_table[(n + 256 * (N / 256)) * D + i * 6 + d_row], packed[j * 16 * N - j * 4096 * (N / 256) + n * 16 + d_column], acc[d_row * 16 + d_column]);
                }
              }
            }
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              #pragma omp simd
              for (int64_t d_column = 0; d_column < 16; d_column++) {
                stored[(i * -384 - d_row * 64) * (D / 64) + (i * 96 + d_row * 16) * ((D + 15) / 16) + j * 16 + d_column] = acc[d_row * 16 + d_column];
              }
            }
          }
        }
        #pragma omp parallel for schedule(static) if((491520 * (D / 64) * (N / 256) + (480 * N + 384) * ((D + 15) / 16)) * (D / 6) + (20480 * ((D + 15) / 16) * (N / 256) + (320 * N + 256) * (D / 64)) * D + 65535 < (122880 * ((D + 15) / 16) * (N / 256) + (1920 * N + 1536) * (D / 64)) * (D / 6) + (81920 * (D / 64) * (N / 256) + (80 * N + 64) * ((D + 15) / 16)) * D)
        for (int64_t d_row = 0; d_row < D % 6; d_row++) {
          for (int64_t i = 0; i < (D + 15) / 16 - 4 * (D / 64); i++) {
            _Alignas(64) float acc[16];
            #pragma omp simd
            for (int64_t d_column = 0; d_column < 16; d_column++) {
              acc[d_column] = sums[(d_row * -64 - 384 * (D / 6)) * (D / 64) + (d_row * 16 + 96 * (D / 6)) * ((D + 15) / 16) + i * 16 + d_column];
            }
            for (int64_t n = 0; n < N % 256; n++) {
              #pragma omp simd
              for (int64_t d_column = 0; d_column < 16; d_column++) {
                acc[d_column] = fmaf(packed_from_table[(n + 256 * (N / 256)) * D + d_row + 6 * (D / 6)], packed[i * 16 * N - i * 4096 * (N / 256) + n * 16 + d_column], acc[d_column]);
              }
            }
            #pragma omp simd
            for (int64_t d_column = 0; d_column < 16; d_column++) {
              stored[(d_row * -64 - 384 * (D / 6)) * (D / 64) + (d_row * 16 + 96 * (D / 6)) * ((D + 15) / 16) + i * 16 + d_column] = acc[d_column];
            }
          }
        }
        #pragma omp parallel for schedule(static) if(192 * D * (D / 64) + 65535 < 3 * D * D)
        for (int64_t d_row = 0; d_row < D; d_row++) {
          for (int64_t d_column = 0; d_column < D % 64; d_column++) {
            output[d_row * D + d_column + 64 * (D / 64)] = share * stored[d_row * 16 * ((D + 15) / 16) - d_row * 64 * (D / 64) + d_column];
          }
        }
      } else {
        report(&status, 4);
      }
      give_memory(packed);
      give_memory(sums);
      give_memory(stored);
    } else {
      float *const columns = allocate(D * N, sizeof(float));
      float *const rest = allocate(D * (D % 64), sizeof(float));
      float *const packed_from_columns = allocate((16 * ((D + 15) / 16) - 64 * (D / 64)) * N, sizeof(float));
      float *const upper = allocate(4096 * (D / 64) * (D / 64), sizeof(float));
      if (columns != NULL && rest != NULL && packed_from_columns != NULL && upper != NULL) {
        #pragma omp parallel for schedule(static) if(2047 < N * (D / 16))
        for (int64_t i = 0; i < D / 16; i++) {
          for (int64_t n = 0; n < N; n++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              columns[(i * 16 + d_row) * N + n] = packed_from_table[n * D + i * 16 + d_row];
            }
          }
        }
        #pragma omp parallel for schedule(static) if(32 * N * (D / 16) + 65535 < 2 * D * N)
        for (int64_t d_row = 0; d_row < D % 16; d_row++) {
          for (int64_t n = 0; n < N; n++) {
            columns[(d_row + 16 * (D / 16)) * N + n] = packed_from_table[n * D + d_row + 16 * (D / 16)];
          }
        }
        #pragma omp parallel for schedule(static) if(128 * N * (D / 64) + 65535 < 32 * N * ((D + 15) / 16))
        for (int64_t i = 0; i < (D + 15) / 16 - 4 * (D / 64) - 1; i++) {
          for (int64_t j = 0; j < N / 16; j++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              for (int64_t n = 0; n < 16; n++) {
                packed_from_columns[i * 16 * N + j * 256 + n * 16 + d_row] = 64 * (D / 64) < D ? columns[(i * 16 + d_row + 64 * (D / 64)) * N + j * 16 + n] : 0.0f;
              }
            }
          }
          for (int64_t n = 0; n < N % 16; n++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              packed_from_columns[i * 16 * N + n * 16 + d_row + 256 * (N / 16)] = 64 * (D / 64) < D ? columns[(i * 16 + d_row + 64 * (D / 64)) * N + n + 16 * (N / 16)] : 0.0f;
            }
          }
        }
        for (int64_t i = 0; i < min_i64((D + 15) / 16 - 4 * (D / 64), 1); i++) {
          for (int64_t j = 0; j < N / 16; j++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              for (int64_t n = 0; n < 16; n++) {
                packed_from_columns[(i * 16 + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) * N + j * 256 + n * 16 + d_row] = 64 * (D / 64) < D ? columns[(min_i64(D % 64 - 1, i * 16 + d_row + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) + 64 * (D / 64)) * N + j * 16 + n] : 0.0f;
              }
            }
          }
          for (int64_t n = 0; n < N % 16; n++) {
            for (int64_t d_row = 0; d_row < 16; d_row++) {
              packed_from_columns[(i * 16 + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) * N + n * 16 + d_row + 256 * (N / 16)] = 64 * (D / 64) < D ? columns[(min_i64(D % 64 - 1, i * 16 + d_row + 16 * max_i64(0, (D + 15) / 16 - 4 * (D / 64) - 1)) + 64 * (D / 64)) * N + n + 16 * (N / 16)] : 0.0f;
            }
          }
        }
        #pragma omp parallel for schedule(static) if((1920 * N + 1536) * (D / 64) * (D / 6) + 65535 < (480 * N + 384) * (D / 6) * ((D + 15) / 16))
        for (int64_t i_columns = 0; i_columns < D / 6; i_columns++) {
          for (int64_t i = 0; i < (D + 15) / 16 - 4 * (D / 64); i++) {
            _Alignas(64) float acc[96];
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              for (int64_t d_column = 0; d_column < 16; d_column++) {
                acc[d_row * 16 + d_column] = 0.0f;
              }
            }
            for (int64_t n = 0; n < N; n++) {
              for (int64_t d_row = 0; d_row < 6; d_row++) {
                #pragma omp simd
                for (int64_t d_column = 0; d_column < 16; d_column++) {
                  acc[d_row * 16 + d_column] = fmaf(columns[(i_columns * 6 + d_row) * N + n], packed_from_columns[i * 16 * N + n * 16 + d_column], acc[d_row * 16 + d_column]);
                }
              }
            }
            for (int64_t d_row = 0; d_row < 6; d_row++) {
              for (int64_t d_column = 0; d_column < min_i64(D - i * 16 - 64 * (D / 64), 16); d_column++) {
                rest[(i_columns * -384 - d_row * 64) * (D / 64) + (i_columns * 6 + d_row) * D + i * 16 + d_column] = share * acc[d_row * 16 + d_column];
              }
            }
          }
        }
        #pragma omp parallel for schedule(static) if((480 * N + 384) * (D / 6) * ((D + 15) / 16) + (320 * N + 256) * (D / 64) * D + 65535 < (1920 * N + 1536) * (D / 64) * (D / 6) + (80 * N + 64) * ((D + 15) / 16) * D)
        for (int64_t d_row = 0; d_row < D % 6; d_row++) {
          for (int64_t i = 0; i < (D + 15) / 16 - 4 * (D / 64); i++) {
            _Alignas(64) float acc[16];
            for (int64_t d_column = 0; d_column < 16; d_column++) {
              acc[d_column] = 0.0f;
            }
            for (int64_t n = 0; n < N; n++) {
              #pragma omp simd
              for (int64_t d_column = 0; d_column < 16; d_column++) {
                acc[d_column] = fmaf(columns[(d_row + 6 * (D / 6)) * N + n], packed_from_columns[i * 16 * N + n * 16 + d_column], acc[d_column]);
              }
            }
            for (int64_t d_column = 0; d_column < min_i64(D - i * 16 - 64 * (D / 64), 16); d_column++) {
              rest[(d_row * -64 - 384 * (D / 6)) * (D / 64) + (d_row + 6 * (D / 6)) * D + i * 16 + d_column] = share * acc[d_column];
            }
          }
        }
        #pragma omp parallel for schedule(static) if(65535 < ((20480 * (D / 64) + 20608) * N + 16384 * (D / 64) + 16384) * (D / 64))
        for (int64_t d_row_block = 0; d_row_block < D / 64; d_row_block++) {
          float *const packed_of_d_row_block = allocate(64 * N, sizeof(float));
          if (packed_of_d_row_block != NULL) {
            for (int64_t i = 0; i < N / 16; i++) {
              for (int64_t d_row = 0; d_row < 64; d_row++) {
                for (int64_t n = 0; n < 16; n++) {
                  packed_of_d_row_block[i * 1024 + n * 64 + d_row] = columns[(d_row_block * 64 + d_row) * N + i * 16 + n];
                }
              }
            }
            for (int64_t n = 0; n < N % 16; n++) {
              for (int64_t d_row = 0; d_row < 64; d_row++) {
                packed_of_d_row_block[n * 64 + d_row + 1024 * (N / 16)] = columns[(d_row_block * 64 + d_row) * N + n + 16 * (N / 16)];
              }
            }
            for (int64_t i_columns = 0; i_columns < d_row_block * 10 + (d_row_block * 2 + 2) / 3 + 10; i_columns++) {
              _Alignas(64) float acc[384];
              for (int64_t d_column = 0; d_column < 6; d_column++) {
                for (int64_t d_row = 0; d_row < 64; d_row++) {
                  acc[d_column * 64 + d_row] = 0.0f;
                }
              }
              for (int64_t n = 0; n < N; n++) {
                for (int64_t d_column = 0; d_column < 6; d_column++) {
                  for (int64_t d_row = 0; d_row < 64; d_row++) {
                    acc[d_column * 64 + d_row] = fmaf(columns[(i_columns * 6 + d_column) * N + n], packed_of_d_row_block[n * 64 + d_row], acc[d_column * 64 + d_row]);
                  }
                }
              }
              for (int64_t d_column = 0; d_column < 6; d_column++) {
                for (int64_t d_row = 0; d_row < 64; d_row++) {
                  upper[(i_columns * 384 + d_column * 64) * (D / 64) + d_row_block * 64 + d_row] = share * acc[d_column * 64 + d_row];
                }
              }
            }
            for (int64_t d_column = 0; d_column < d_row_block * 4 - (d_row_block * 2 + 2) / 3 * 6 + 4; d_column++) {
              _Alignas(64) float acc[64];
              for (int64_t d_row = 0; d_row < 64; d_row++) {
                acc[d_row] = 0.0f;
              }
              for (int64_t n = 0; n < N; n++) {
                for (int64_t d_row = 0; d_row < 64; d_row++) {
                  acc[d_row] = fmaf(columns[(d_row_block * 60 + (d_row_block * 2 + 2) / 3 * 6 + d_column + 60) * N + n], packed_of_d_row_block[n * 64 + d_row], acc[d_row]);
                }
              }
              for (int64_t d_row = 0; d_row < 64; d_row++) {
                upper[(d_row_block * 3840 + (d_row_block * 2 + 2) / 3 * 384 + d_column * 64 + 3840) * (D / 64) + d_row_block * 64 + d_row] = share * acc[d_row];
              }
            }
          } else {
            report(&status, 7);
          }
          give_memory(packed_of_d_row_block);
        }
        #pragma omp parallel for schedule(static) if(7 < D / 64 * (D / 64))
        for (int64_t d_row_block = 0; d_row_block < D / 64; d_row_block++) {
          for (int64_t d_column = 0; d_column < d_row_block * 64; d_column++) {
            for (int64_t d_row = 0; d_row < 64; d_row++) {
              output[(d_row_block * 64 + d_row) * D + d_column] = upper[d_column * 64 * (D / 64) + d_row_block * 64 + d_row];
            }
          }
          for (int64_t d_row = 0; d_row < 64; d_row++) {
            for (int64_t d_column = 0; d_column < 64 * (D / 64) - d_row_block * 64; d_column++) {
              output[(d_row_block * 64 + d_row) * D + d_row_block * 64 + d_column] = upper[(d_row_block * 4096 + d_row * 64) * (D / 64) + d_row_block * 64 + d_column];
            }
          }
        }
        #pragma omp parallel for schedule(static) if(8192 * (D / 64) * (D / 64) + 65535 < 128 * D * (D / 64))
        for (int64_t d_row = 0; d_row < 64 * (D / 64); d_row++) {
          for (int64_t d_column = 0; d_column < D % 64; d_column++) {
            output[d_row * D + d_column + 64 * (D / 64)] = rest[d_row * D - d_row * 64 * (D / 64) + d_column];
          }
        }
        #pragma omp parallel for schedule(static) if(128 * D * (D / 64) + 65535 < 2 * D * D)
        for (int64_t d_column = 0; d_column < D; d_column++) {
          for (int64_t d_row = 0; d_row < D % 64; d_row++) {
            output[(d_row + 64 * (D / 64)) * D + d_column] = rest[d_column * D - d_column * 64 * (D / 64) + d_row];
          }
        }
      } else {
        report(&status, 6);
      }
      give_memory(upper);
      give_memory(packed_from_columns);
      give_memory(rest);
      give_memory(columns);
    }
  } else {
    report(&status, 1);
  }
  give_memory(packed_from_table);
  give_memory(mean);
  return status;
}
