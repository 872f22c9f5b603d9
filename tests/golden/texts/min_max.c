// min_max(xs: N.f32) -> (f32, f32) for all N
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

static inline float min_f32(float a, float b) { const float r = b < a ? b : a; return b != b ? b : r; }

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

int min_max(int64_t N, const float *restrict xs, float *restrict output_1st, float *restrict output_2nd) {
  int status = 0;
  float minimum;
  float *const minima = allocate(N / 2048, sizeof(float));
  float *const maxima = allocate(N / 2048, sizeof(float));
  if (minima != NULL && maxima != NULL) {
    #pragma omp parallel for schedule(static) if(7 < N / 2048)
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = INFINITY;
      }
      for (int64_t n_strip = 0; n_strip < 64; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = min_f32(acc[n], xs[n_step * 2048 + n_strip * 32 + n]);
        }
      }
      float minimum_of_n_step;
      minimum_of_n_step = INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        minimum_of_n_step = min_f32(minimum_of_n_step, acc[n]);
      }
      minima[n_step] = minimum_of_n_step;
    }
    minimum = INFINITY;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      minimum = min_f32(minimum, minima[n_step]);
    }
    for (int64_t n = 0; n < N % 2048; n++) {
      minimum = min_f32(minimum, xs[n + 2048 * (N / 2048)]);
    }
    float maximum;
    #pragma omp parallel for schedule(static) if(7 < N / 2048)
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      _Alignas(64) float acc[32];
      for (int64_t n = 0; n < 32; n++) {
        acc[n] = -INFINITY;
      }
      for (int64_t n_strip = 0; n_strip < 64; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          acc[n] = max_f32(acc[n], xs[n_step * 2048 + n_strip * 32 + n]);
        }
      }
      float maximum_of_n_step;
      maximum_of_n_step = -INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        maximum_of_n_step = max_f32(maximum_of_n_step, acc[n]);
      }
      maxima[n_step] = maximum_of_n_step;
    }
    maximum = -INFINITY;
    for (int64_t n_step = 0; n_step < N / 2048; n_step++) {
      maximum = max_f32(maximum, maxima[n_step]);
    }
    for (int64_t n = 0; n < N % 2048; n++) {
      maximum = max_f32(maximum, xs[n + 2048 * (N / 2048)]);
    }
    output_1st[0] = minimum;
    output_2nd[0] = maximum;
  } else {
    report(&status, 1);
  }
  free(maxima);
  free(minima);
  return status;
}
