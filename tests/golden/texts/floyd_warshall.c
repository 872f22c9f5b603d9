// floyd_warshall(direct: N.N.f32) -> N.N.f32 for all N
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

static inline float min_f32(float a, float b) { const float r = b < a ? b : a; return b != b ? b : r; }

int floyd_warshall(int64_t N, const float *restrict direct, float *restrict output) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(21845 < N * N)
  for (int64_t n_row = 0; n_row < N; n_row++) {
    for (int64_t n_column = 0; n_column < N; n_column++) {
      output[n_row * N + n_column] = fabsf(direct[n_row * N + n_column]);
    }
  }
  for (int64_t n_row = 0; n_row < N; n_row++) {
    _Alignas(64) float output_tile_of_column_near[1024];
    float *const output_tile_of_column = N <= 1024 ? output_tile_of_column_near : allocate(N, sizeof(float));
    _Alignas(64) float output_tile_of_row_near[1024];
    float *const output_tile_of_row = N <= 1024 ? output_tile_of_row_near : allocate(N, sizeof(float));
    if (output_tile_of_column != NULL && output_tile_of_row != NULL) {
      for (int64_t n_column_block = 0; n_column_block < N / 32; n_column_block++) {
        __builtin_prefetch(&output[(n_row + 1) * N + n_column_block * 32]);
        __builtin_prefetch(&output[(n_row + 1) * N + n_column_block * 32 + 16]);
        for (int64_t n_row_1 = 0; n_row_1 < 32; n_row_1++) {
          output_tile_of_column[n_column_block * 32 + n_row_1] = output[(n_column_block * 32 + n_row_1) * N + n_row];
        }
      }
      for (int64_t n_row_1 = 0; n_row_1 < N % 32; n_row_1++) {
        output_tile_of_column[n_row_1 + 32 * (N / 32)] = output[(n_row_1 + 32 * (N / 32)) * N + n_row];
      }
      for (int64_t n_column = 0; n_column < N; n_column++) {
        output_tile_of_row[n_column] = output[n_row * N + n_column];
      }
      for (int64_t n_row_1 = 0; n_row_1 < N; n_row_1++) {
        for (int64_t n_column = 0; n_column < N; n_column++) {
          output[n_row_1 * N + n_column] = min_f32(output[n_row_1 * N + n_column], output_tile_of_column[n_row_1] + output_tile_of_row[n_column]);
        }
      }
    } else {
      report(&status, 1);
    }
    if (output_tile_of_row != output_tile_of_row_near) give_memory(output_tile_of_row);
    if (output_tile_of_column != output_tile_of_column_near) give_memory(output_tile_of_column);
  }
  return status;
}
