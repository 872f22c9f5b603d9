// What the processor can do: multiply-adds in registers, and loops over memory. Built by _peaks.py.
#include <stdint.h>
#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
#define CHAINS 12  // independent sums: two units with a latency of four or five want eight to ten

typedef float f32 __attribute__((vector_size(BYTES)));
typedef double f64 __attribute__((vector_size(BYTES)));
typedef float loose __attribute__((vector_size(BYTES), aligned(4)));

#define MULTIPLY_ADDS(T, E)                                                \
  double multiply_adds_##T(int64_t steps) {                                \
    double total = 0;                                                      \
    _Pragma("omp parallel reduction(+ : total)") {                         \
      T sums[CHAINS], x, y;                                                \
      for (int i = 0; i < CHAINS; i++) sums[i] = (T){} + (E)i;             \
      x = (T){} + (E)0.5, y = (T){} + (E)0.25;                             \
      __asm__ volatile("" : "+v"(x), "+v"(y));                             \
      for (int64_t s = 0; s < steps; s++)                                  \
        for (int i = 0; i < CHAINS; i++) sums[i] = sums[i] * x + y;        \
      for (int i = 0; i < CHAINS; i++) total += sums[i][0];                \
    }                                                                      \
    return total;                                                          \
  }

MULTIPLY_ADDS(f32, float)
MULTIPLY_ADDS(f64, double)

int lanes(void) { return BYTES / 4; }
int chains(void) { return CHAINS; }

// All of an array, in eight sums; n is a multiple of 8 vectors.
float read_all(const float *from, int64_t n) {
  float total = 0;
  const int64_t step = 8 * (BYTES / 4);
#pragma omp parallel reduction(+ : total)
  {
    loose sums[8] = {0};
#pragma omp for schedule(static)
    for (int64_t i = 0; i < n; i += step)
      for (int k = 0; k < 8; k++) sums[k] += *(const loose *)(from + i + k * (BYTES / 4));
    for (int k = 0; k < 8; k++) total += sums[k][0];
  }
  return total;
}

void copy(float *restrict to, const float *restrict from, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i += BYTES / 4) *(loose *)(to + i) = *(const loose *)(from + i);
}

#if defined(__x86_64__)
#include <immintrin.h>
#if BYTES == 64
#define STREAM(to, from) _mm512_stream_si512((void *)(to), _mm512_loadu_si512(from))
#elif BYTES == 32
#define STREAM(to, from) _mm256_stream_si256((void *)(to), _mm256_loadu_si256((const void *)(from)))
#else
#define STREAM(to, from) _mm_stream_si128((void *)(to), _mm_loadu_si128((const void *)(from)))
#endif
#else
#define STREAM(to, from) (*(loose *)(to) = *(const loose *)(from))
#endif

// Past the caches: what is written is not read first. `to` is aligned to a vector.
void copy_past(float *restrict to, const float *restrict from, int64_t n) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; i += BYTES / 4) STREAM(to + i, from + i);
}
