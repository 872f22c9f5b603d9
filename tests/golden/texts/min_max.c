// min_max(xs: N.f32) -> (f32, f32) for all N
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

static inline float max_f32(float a, float b) { const float r = b > a ? b : a; return b != b ? b : r; }

int min_max(int64_t N, const float *restrict xs, float *restrict output_1st, float *restrict output_2nd) {
  int status = 0;
  float *const minima_from_minimum_of_n_step = allocate(N / 4096, sizeof(float));
  float *const maxima_from_maximum_of_n_step = allocate(N / 4096, sizeof(float));
  if (minima_from_minimum_of_n_step != NULL && maxima_from_maximum_of_n_step != NULL) {
    #pragma omp parallel for schedule(static) if(3 < N / 4096)
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      _Alignas(64) float minima_of_n_step[32];
      for (int64_t n = 0; n < 32; n++) {
        minima_of_n_step[n] = INFINITY;
      }
      for (int64_t n_strip = 0; n_strip < 128; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          minima_of_n_step[n] = min_f32(minima_of_n_step[n], xs[n_step * 4096 + n_strip * 32 + n]);
        }
      }
      float minimum_of_n_step;
      minimum_of_n_step = INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        minimum_of_n_step = min_f32(minimum_of_n_step, minima_of_n_step[n]);
      }
      minima_from_minimum_of_n_step[n_step] = minimum_of_n_step;
    }
    float minimum;
    minimum = INFINITY;
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      minimum = min_f32(minimum, minima_from_minimum_of_n_step[n_step]);
    }
    _Alignas(64) float minima[32];
    _Alignas(64) float minima_from_xs[32];
    for (int64_t n = 0; n < 32; n++) {
      minima_from_xs[n] = INFINITY;
    }
    for (int64_t n_step = 0; n_step < N / 32 - 128 * (N / 4096); n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        minima_from_xs[n] = min_f32(minima_from_xs[n], xs[n_step * 32 + n + 4096 * (N / 4096)]);
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const float padded_xs = at_n < N ? xs[at_n] : INFINITY;
      minima[n] = min_f32(padded_xs, minima_from_xs[n]);
    }
    float minimum_from_minima;
    minimum_from_minima = INFINITY;
    for (int64_t n = 0; n < 32; n++) {
      minimum_from_minima = min_f32(minimum_from_minima, minima[n]);
    }
    #pragma omp parallel for schedule(static) if(3 < N / 4096)
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      _Alignas(64) float maxima_of_n_step[32];
      for (int64_t n = 0; n < 32; n++) {
        maxima_of_n_step[n] = -INFINITY;
      }
      for (int64_t n_strip = 0; n_strip < 128; n_strip++) {
        for (int64_t n = 0; n < 32; n++) {
          maxima_of_n_step[n] = max_f32(maxima_of_n_step[n], xs[n_step * 4096 + n_strip * 32 + n]);
        }
      }
      float maximum_of_n_step;
      maximum_of_n_step = -INFINITY;
      for (int64_t n = 0; n < 32; n++) {
        maximum_of_n_step = max_f32(maximum_of_n_step, maxima_of_n_step[n]);
      }
      maxima_from_maximum_of_n_step[n_step] = maximum_of_n_step;
    }
    float maximum;
    maximum = -INFINITY;
    for (int64_t n_step = 0; n_step < N / 4096; n_step++) {
      maximum = max_f32(maximum, maxima_from_maximum_of_n_step[n_step]);
    }
    _Alignas(64) float maxima[32];
    _Alignas(64) float maxima_from_xs[32];
    for (int64_t n = 0; n < 32; n++) {
      maxima_from_xs[n] = -INFINITY;
    }
    for (int64_t n_step = 0; n_step < N / 32 - 128 * (N / 4096); n_step++) {
      for (int64_t n = 0; n < 32; n++) {
        maxima_from_xs[n] = max_f32(maxima_from_xs[n], xs[n_step * 32 + n + 4096 * (N / 4096)]);
      }
    }
    for (int64_t n = 0; n < 32; n++) {
      const int64_t at_n = n + 32 * (N / 32);
      const float padded_xs = at_n < N ? xs[at_n] : -INFINITY;
      maxima[n] = max_f32(padded_xs, maxima_from_xs[n]);
    }
    float maximum_from_maxima;
    maximum_from_maxima = -INFINITY;
    for (int64_t n = 0; n < 32; n++) {
      maximum_from_maxima = max_f32(maximum_from_maxima, maxima[n]);
    }
    output_1st[0] = min_f32(minimum, minimum_from_minima);
    output_2nd[0] = max_f32(maximum, maximum_from_maxima);
  } else {
    report(&status, 1);
  }
  give_memory(maxima_from_maximum_of_n_step);
  give_memory(minima_from_minimum_of_n_step);
  return status;
}
