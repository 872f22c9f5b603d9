// kernel(image: 3.(M + 4).(N + 4).f32) -> M.N.f32 for all M, N where ceil(M, 2) >= 1, ceil(N, 4) >= 1
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32x4_a __attribute__((vector_size(16), aligned(16), may_alias));

static inline void keep_scalar(void) { // gcc before 14 computes wrong vectors of the loop (its bug 114375)
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

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

static inline f32x4 broadcast_f32x4(float x) { return (f32x4){x, x, x, x}; }

static inline f32x4 load_f32x4(const float *p) { return *(const f32x4_u *)p; }

static inline void store_aligned_f32x4(float *p, f32x4 v) { *(f32x4_a *)p = v; }

static inline f32x4 load_first_f32x4(const float *p, int64_t n) { // zeros behind the n-th
  if (n >= 4) return *(const f32x4_u *)p;
  f32x4 r = {0};
  for (int64_t l = 0; l < n; l++) r[l] = p[l];
  return r;
}

static inline f32x4 load_aligned_f32x4(const float *p) { return *(const f32x4_a *)p; }

static inline f32x4 from_1_f32x4(f32x4 a, f32x4 b) { return (f32x4){a[1], a[2], a[3], b[0]}; }

static inline f32x4 from_2_f32x4(f32x4 a, f32x4 b) { return (f32x4){a[2], a[3], b[0], b[1]}; }

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline void store_f32x4(float *p, f32x4 v) { *(f32x4_u *)p = v; }

int kernel(int64_t M, int64_t N, const float *restrict image, float *restrict output) {
  int status = 0;
  #pragma omp parallel for schedule(static) if(65535 < (1444 * ((N + 3) / 4) + 1734) * ((M + 1) / 2))
  for (int64_t m_block = 0; m_block < (M + 1) / 2; m_block++) {
    keep_scalar();
    _Alignas(64) float window_of_m_block_1st_near[1024];
    float *const window_of_m_block_1st = 8 * ((N + 3) / 4) + 8 <= 1024 ? window_of_m_block_1st_near : allocate(8 * ((N + 3) / 4) + 8, sizeof(float));
    _Alignas(64) float window_of_m_block_2nd_near[1024];
    float *const window_of_m_block_2nd = 8 * ((N + 3) / 4) + 8 <= 1024 ? window_of_m_block_2nd_near : allocate(8 * ((N + 3) / 4) + 8, sizeof(float));
    _Alignas(64) float window_near[1024];
    float *const window = 8 * ((N + 3) / 4) + 16 <= 1024 ? window_near : allocate(8 * ((N + 3) / 4) + 16, sizeof(float));
    if (window_of_m_block_1st != NULL && window_of_m_block_2nd != NULL && window != NULL) {
      for (int64_t m = 0; m < 2; m++) {
        keep_scalar();
        for (int64_t n_block = 0; n_block < (N + 3) / 4; n_block++) {
          const f32x4 sum = broadcast_f32x4(0.299f) * load_f32x4(&image[(m_block * 2 + m) * N + m_block * 8 + m * 4 + n_block * 4]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(m_block * 2 + m + M + 4) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * M + 16]);
          const f32x4 sum_1 = sum + broadcast_f32x4(0.114f) * load_f32x4(&image[(m_block * 2 + m + 2 * M + 8) * N + m_block * 8 + m * 4 + n_block * 4 + 8 * M + 32]);
          store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8 + n_block * 4], sum_1);
        }
        for (int64_t n_block = 0; n_block < 2; n_block++) {
          const int64_t at_n = n_block * 4 + 4 * ((N + 3) / 4);
          const f32x4 sum = broadcast_f32x4(0.299f) * load_first_f32x4(&image[(m_block * 2 + m) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * ((N + 3) / 4)], N - n_block * 4 - 4 * ((N + 3) / 4) + 4) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(m_block * 2 + m + M + 4) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * M + 4 * ((N + 3) / 4) + 16], N - n_block * 4 - 4 * ((N + 3) / 4) + 4);
          const f32x4 sum_1 = sum + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(m_block * 2 + m + 2 * M + 8) * N + m_block * 8 + m * 4 + n_block * 4 + 8 * M + 4 * ((N + 3) / 4) + 32], N - n_block * 4 - 4 * ((N + 3) / 4) + 4);
          store_aligned_f32x4(&window[(m * 4 + 4) * ((N + 3) / 4) + m * 8 + n_block * 4], sum_1);
        }
      }
      for (int64_t m = 0; m < 2; m++) {
        _Alignas(64) float window_of_m_1st[8];
        _Alignas(64) float window_of_m_2nd[8];
        _Alignas(64) float column_of_m[12];
        #pragma GCC unroll 2
        for (int64_t i_old = 0; i_old < 2; i_old++) {
          store_aligned_f32x4(&column_of_m[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8]));
        }
        const f32x4 sum = broadcast_f32x4(0.299f) * load_f32x4(&image[(m_block * 2 + m + 2) * N + m_block * 8 + m * 4 + 8]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(m_block * 2 + m + M + 6) * N + m_block * 8 + m * 4 + 4 * M + 24]) + broadcast_f32x4(0.114f) * load_f32x4(&image[(m_block * 2 + m + 2 * M + 10) * N + m_block * 8 + m * 4 + 8 * M + 40]);
        store_aligned_f32x4(&column_of_m[8], sum);
        store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8], load_aligned_f32x4(&column_of_m[8]));
        const f32x4 sum_from_column_of_m = load_aligned_f32x4(&column_of_m[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_m[4]) + load_aligned_f32x4(&column_of_m[8]);
        store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_m[8]) - load_aligned_f32x4(&column_of_m[0]));
        store_aligned_f32x4(&window_of_m_2nd[4], sum_from_column_of_m);
        for (int64_t n_block = 0; n_block < (N + 3) / 4 - 1; n_block++) {
          store_aligned_f32x4(&window_of_m_1st[0], load_aligned_f32x4(&window_of_m_1st[4]));
          store_aligned_f32x4(&window_of_m_2nd[0], load_aligned_f32x4(&window_of_m_2nd[4]));
          _Alignas(64) float column_of_n_block[12];
          #pragma GCC unroll 2
          for (int64_t i_old = 0; i_old < 2; i_old++) {
            store_aligned_f32x4(&column_of_n_block[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8 + n_block * 4 + 4]));
          }
          const f32x4 sum_1 = broadcast_f32x4(0.299f) * load_f32x4(&image[(m_block * 2 + m + 2) * N + m_block * 8 + m * 4 + n_block * 4 + 12]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(m_block * 2 + m + M + 6) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * M + 28]);
          const f32x4 sum_2 = sum_1 + broadcast_f32x4(0.114f) * load_f32x4(&image[(m_block * 2 + m + 2 * M + 10) * N + m_block * 8 + m * 4 + n_block * 4 + 8 * M + 44]);
          store_aligned_f32x4(&column_of_n_block[8], sum_2);
          store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8 + n_block * 4 + 4], load_aligned_f32x4(&column_of_n_block[8]));
          const f32x4 sum_from_column_of_n_block = load_aligned_f32x4(&column_of_n_block[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_n_block[4]) + load_aligned_f32x4(&column_of_n_block[8]);
          store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_n_block[8]) - load_aligned_f32x4(&column_of_n_block[0]));
          store_aligned_f32x4(&window_of_m_2nd[4], sum_from_column_of_n_block);
          const f32x4 sum_from_window_of_m = load_aligned_f32x4(&window_of_m_1st[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4])) + from_2_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4]));
          const int64_t at_m_n = m * 4 * ((N + 3) / 4) + m * 4 + n_block * 4;
          store_aligned_f32x4(&window_of_m_block_1st[at_m_n], (from_2_f32x4(load_aligned_f32x4(&window_of_m_2nd[0]), load_aligned_f32x4(&window_of_m_2nd[4])) - load_aligned_f32x4(&window_of_m_2nd[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&window_of_m_block_2nd[at_m_n], sum_from_window_of_m * broadcast_f32x4(0.083333336f));
        }
        for (int64_t n_block = 0; n_block < min_i64((N + 3) / 4 + 1, 2); n_block++) {
          keep_scalar();
          store_aligned_f32x4(&window_of_m_1st[0], load_aligned_f32x4(&window_of_m_1st[4]));
          store_aligned_f32x4(&window_of_m_2nd[0], load_aligned_f32x4(&window_of_m_2nd[4]));
          _Alignas(64) float column_of_n_block[12];
          #pragma GCC unroll 2
          for (int64_t i_old = 0; i_old < 2; i_old++) {
            store_aligned_f32x4(&column_of_n_block[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8 + n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 4]));
          }
          const int64_t at_n = n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 3;
          const int64_t at_n_max = n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 2;
          const int64_t at_n_block = n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 1;
          const f32x4 sum_1 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[(m_block * 2 + m + 2) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 12], N - n_block * 4 - 4 * max_i64(0, (N + 3) / 4 - 1)) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(m_block * 2 + m + M + 6) * N + m_block * 8 + m * 4 + n_block * 4 + 4 * M + 4 * max_i64(0, (N + 3) / 4 - 1) + 28], N - n_block * 4 - 4 * max_i64(0, (N + 3) / 4 - 1));
          const f32x4 sum_2 = sum_1 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(m_block * 2 + m + 2 * M + 10) * N + m_block * 8 + m * 4 + n_block * 4 + 8 * M + 4 * max_i64(0, (N + 3) / 4 - 1) + 44], N - n_block * 4 - 4 * max_i64(0, (N + 3) / 4 - 1));
          store_aligned_f32x4(&column_of_n_block[8], sum_2);
          store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8 + n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 4], load_aligned_f32x4(&column_of_n_block[8]));
          const f32x4 sum_from_column_of_n_block = load_aligned_f32x4(&column_of_n_block[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_n_block[4]) + load_aligned_f32x4(&column_of_n_block[8]);
          store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_n_block[8]) - load_aligned_f32x4(&column_of_n_block[0]));
          store_aligned_f32x4(&window_of_m_2nd[4], sum_from_column_of_n_block);
          const f32x4 sum_from_window_of_m = load_aligned_f32x4(&window_of_m_1st[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4])) + from_2_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4]));
          const int64_t at_m_n = m * 4 * ((N + 3) / 4) + m * 4 + n_block * 4 + 4 * max_i64(0, (N + 3) / 4 - 1);
          store_aligned_f32x4(&window_of_m_block_1st[at_m_n], (from_2_f32x4(load_aligned_f32x4(&window_of_m_2nd[0]), load_aligned_f32x4(&window_of_m_2nd[4])) - load_aligned_f32x4(&window_of_m_2nd[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&window_of_m_block_2nd[at_m_n], sum_from_window_of_m * broadcast_f32x4(0.083333336f));
        }
      }
      for (int64_t m = 0; m < 2; m++) {
        keep_scalar();
        _Alignas(64) float window_of_m_1st[8];
        _Alignas(64) float window_of_m_2nd[8];
        _Alignas(64) float column_of_m[12];
        #pragma GCC unroll 2
        for (int64_t i_old = 0; i_old < 2; i_old++) {
          store_aligned_f32x4(&column_of_m[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8]));
        }
        const int64_t m_min = min_i64(M + 3, m_block * 2 + m + 4);
        const f32x4 sum = broadcast_f32x4(0.299f) * load_f32x4(&image[m_min * N + m_min * 4]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(m_min + M + 4) * N + m_min * 4 + 4 * M + 16]) + broadcast_f32x4(0.114f) * load_f32x4(&image[(m_min + 2 * M + 8) * N + m_min * 4 + 8 * M + 32]);
        store_aligned_f32x4(&column_of_m[8], sum);
        store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8], load_aligned_f32x4(&column_of_m[8]));
        const f32x4 sum_1 = load_aligned_f32x4(&column_of_m[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_m[4]) + load_aligned_f32x4(&column_of_m[8]);
        store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_m[8]) - load_aligned_f32x4(&column_of_m[0]));
        store_aligned_f32x4(&window_of_m_2nd[4], sum_1);
        if (m_block * 2 + m < M) {
          _Alignas(64) float window_for_xx_1st[8];
          _Alignas(64) float window_for_yy_2nd[8];
          _Alignas(64) float window_3rd[8];
          _Alignas(64) float column_of_m_1st[12];
          _Alignas(64) float column_of_m_2nd[12];
          #pragma GCC unroll 2
          for (int64_t i_old = 0; i_old < 2; i_old++) {
            const int64_t at_m_i_old = (m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 4;
            store_aligned_f32x4(&column_of_m_1st[i_old * 4], load_aligned_f32x4(&window_of_m_block_1st[at_m_i_old]));
            store_aligned_f32x4(&column_of_m_2nd[i_old * 4], load_aligned_f32x4(&window_of_m_block_2nd[at_m_i_old]));
          }
          store_aligned_f32x4(&window_of_m_1st[0], load_aligned_f32x4(&window_of_m_1st[4]));
          store_aligned_f32x4(&window_of_m_2nd[0], load_aligned_f32x4(&window_of_m_2nd[4]));
          _Alignas(64) float column_of_m_1[12];
          #pragma GCC unroll 2
          for (int64_t i_old = 0; i_old < 2; i_old++) {
            store_aligned_f32x4(&column_of_m_1[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8 + 4]));
          }
          const f32x4 sum_2 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[m_min * N + m_min * 4 + 4], N) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(m_min + M + 4) * N + m_min * 4 + 4 * M + 20], N);
          const f32x4 sum_3 = sum_2 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(m_min + 2 * M + 8) * N + m_min * 4 + 8 * M + 36], N);
          store_aligned_f32x4(&column_of_m_1[8], sum_3);
          store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8 + 4], load_aligned_f32x4(&column_of_m_1[8]));
          const f32x4 sum_4 = load_aligned_f32x4(&column_of_m_1[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_m_1[4]) + load_aligned_f32x4(&column_of_m_1[8]);
          store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_m_1[8]) - load_aligned_f32x4(&column_of_m_1[0]));
          store_aligned_f32x4(&window_of_m_2nd[4], sum_4);
          const f32x4 sum_5 = load_aligned_f32x4(&window_of_m_1st[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4])) + from_2_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4]));
          store_aligned_f32x4(&column_of_m_1st[8], (from_2_f32x4(load_aligned_f32x4(&window_of_m_2nd[0]), load_aligned_f32x4(&window_of_m_2nd[4])) - load_aligned_f32x4(&window_of_m_2nd[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&column_of_m_2nd[8], sum_5 * broadcast_f32x4(0.083333336f));
          const int64_t at_m = m * 4 * ((N + 3) / 4) + m * 4;
          store_aligned_f32x4(&window_of_m_block_1st[at_m], load_aligned_f32x4(&column_of_m_1st[8]));
          store_aligned_f32x4(&window_of_m_block_2nd[at_m], load_aligned_f32x4(&column_of_m_2nd[8]));
          const f32x4 next_window_for_xx_from_column_of_m_1st = load_aligned_f32x4(&column_of_m_1st[0]) * load_aligned_f32x4(&column_of_m_1st[0]) + load_aligned_f32x4(&column_of_m_1st[4]) * load_aligned_f32x4(&column_of_m_1st[4]) + load_aligned_f32x4(&column_of_m_1st[8]) * load_aligned_f32x4(&column_of_m_1st[8]);
          const f32x4 next_window_for_yy_from_column_of_m_2nd = load_aligned_f32x4(&column_of_m_2nd[0]) * load_aligned_f32x4(&column_of_m_2nd[0]) + load_aligned_f32x4(&column_of_m_2nd[4]) * load_aligned_f32x4(&column_of_m_2nd[4]) + load_aligned_f32x4(&column_of_m_2nd[8]) * load_aligned_f32x4(&column_of_m_2nd[8]);
          const f32x4 next_window_from_column_of_m_3rd = load_aligned_f32x4(&column_of_m_1st[0]) * load_aligned_f32x4(&column_of_m_2nd[0]) + load_aligned_f32x4(&column_of_m_1st[4]) * load_aligned_f32x4(&column_of_m_2nd[4]) + load_aligned_f32x4(&column_of_m_1st[8]) * load_aligned_f32x4(&column_of_m_2nd[8]);
          store_aligned_f32x4(&window_for_xx_1st[4], next_window_for_xx_from_column_of_m_1st);
          store_aligned_f32x4(&window_for_yy_2nd[4], next_window_for_yy_from_column_of_m_2nd);
          store_aligned_f32x4(&window_3rd[4], next_window_from_column_of_m_3rd);
          for (int64_t n_block = 0; n_block < (N + 3) / 4; n_block++) {
            keep_scalar();
            store_aligned_f32x4(&window_for_xx_1st[0], load_aligned_f32x4(&window_for_xx_1st[4]));
            store_aligned_f32x4(&window_for_yy_2nd[0], load_aligned_f32x4(&window_for_yy_2nd[4]));
            store_aligned_f32x4(&window_3rd[0], load_aligned_f32x4(&window_3rd[4]));
            _Alignas(64) float column_of_n_block_1st[12];
            _Alignas(64) float column_of_n_block_2nd[12];
            #pragma GCC unroll 2
            for (int64_t i_old = 0; i_old < 2; i_old++) {
              const int64_t at_m_n_i_old = (m + i_old) % 2 * 4 * ((N + 3) / 4) + n_block * 4 + (m + i_old) % 2 * 4 + 4;
              store_aligned_f32x4(&column_of_n_block_1st[i_old * 4], load_aligned_f32x4(&window_of_m_block_1st[at_m_n_i_old]));
              store_aligned_f32x4(&column_of_n_block_2nd[i_old * 4], load_aligned_f32x4(&window_of_m_block_2nd[at_m_n_i_old]));
            }
            store_aligned_f32x4(&window_of_m_1st[0], load_aligned_f32x4(&window_of_m_1st[4]));
            store_aligned_f32x4(&window_of_m_2nd[0], load_aligned_f32x4(&window_of_m_2nd[4]));
            _Alignas(64) float column_of_n_block[12];
            #pragma GCC unroll 2
            for (int64_t i_old = 0; i_old < 2; i_old++) {
              store_aligned_f32x4(&column_of_n_block[i_old * 4], load_aligned_f32x4(&window[(m + i_old) % 2 * 4 * ((N + 3) / 4) + (m + i_old) % 2 * 8 + n_block * 4 + 8]));
            }
            const f32x4 sum_6 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[m_min * N + m_min * 4 + n_block * 4 + 8], N - n_block * 4 - 4) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(m_min + M + 4) * N + m_min * 4 + n_block * 4 + 4 * M + 24], N - n_block * 4 - 4);
            const f32x4 sum_7 = sum_6 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(m_min + 2 * M + 8) * N + m_min * 4 + n_block * 4 + 8 * M + 40], N - n_block * 4 - 4);
            store_aligned_f32x4(&column_of_n_block[8], sum_7);
            store_aligned_f32x4(&window[m * 4 * ((N + 3) / 4) + m * 8 + n_block * 4 + 8], load_aligned_f32x4(&column_of_n_block[8]));
            const f32x4 sum_from_column_of_n_block = load_aligned_f32x4(&column_of_n_block[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_of_n_block[4]) + load_aligned_f32x4(&column_of_n_block[8]);
            store_aligned_f32x4(&window_of_m_1st[4], load_aligned_f32x4(&column_of_n_block[8]) - load_aligned_f32x4(&column_of_n_block[0]));
            store_aligned_f32x4(&window_of_m_2nd[4], sum_from_column_of_n_block);
            const f32x4 sum_8 = load_aligned_f32x4(&window_of_m_1st[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4])) + from_2_f32x4(load_aligned_f32x4(&window_of_m_1st[0]), load_aligned_f32x4(&window_of_m_1st[4]));
            store_aligned_f32x4(&column_of_n_block_1st[8], (from_2_f32x4(load_aligned_f32x4(&window_of_m_2nd[0]), load_aligned_f32x4(&window_of_m_2nd[4])) - load_aligned_f32x4(&window_of_m_2nd[0])) * broadcast_f32x4(0.083333336f));
            store_aligned_f32x4(&column_of_n_block_2nd[8], sum_8 * broadcast_f32x4(0.083333336f));
            const int64_t at_m_n = m * 4 * ((N + 3) / 4) + m * 4 + n_block * 4 + 4;
            store_aligned_f32x4(&window_of_m_block_1st[at_m_n], load_aligned_f32x4(&column_of_n_block_1st[8]));
            store_aligned_f32x4(&window_of_m_block_2nd[at_m_n], load_aligned_f32x4(&column_of_n_block_2nd[8]));
            const f32x4 next_window_for_xx_1st = load_aligned_f32x4(&column_of_n_block_1st[0]) * load_aligned_f32x4(&column_of_n_block_1st[0]) + load_aligned_f32x4(&column_of_n_block_1st[4]) * load_aligned_f32x4(&column_of_n_block_1st[4]) + load_aligned_f32x4(&column_of_n_block_1st[8]) * load_aligned_f32x4(&column_of_n_block_1st[8]);
            const f32x4 next_window_for_yy_2nd = load_aligned_f32x4(&column_of_n_block_2nd[0]) * load_aligned_f32x4(&column_of_n_block_2nd[0]) + load_aligned_f32x4(&column_of_n_block_2nd[4]) * load_aligned_f32x4(&column_of_n_block_2nd[4]) + load_aligned_f32x4(&column_of_n_block_2nd[8]) * load_aligned_f32x4(&column_of_n_block_2nd[8]);
            const f32x4 next_window_from_column_of_n_block_3rd = load_aligned_f32x4(&column_of_n_block_1st[0]) * load_aligned_f32x4(&column_of_n_block_2nd[0]) + load_aligned_f32x4(&column_of_n_block_1st[4]) * load_aligned_f32x4(&column_of_n_block_2nd[4]) + load_aligned_f32x4(&column_of_n_block_1st[8]) * load_aligned_f32x4(&column_of_n_block_2nd[8]);
            store_aligned_f32x4(&window_for_xx_1st[4], next_window_for_xx_1st);
            store_aligned_f32x4(&window_for_yy_2nd[4], next_window_for_yy_2nd);
            store_aligned_f32x4(&window_3rd[4], next_window_from_column_of_n_block_3rd);
            const f32x4 xx = load_aligned_f32x4(&window_for_xx_1st[0]) + from_1_f32x4(load_aligned_f32x4(&window_for_xx_1st[0]), load_aligned_f32x4(&window_for_xx_1st[4])) + from_2_f32x4(load_aligned_f32x4(&window_for_xx_1st[0]), load_aligned_f32x4(&window_for_xx_1st[4]));
            const f32x4 yy = load_aligned_f32x4(&window_for_yy_2nd[0]) + from_1_f32x4(load_aligned_f32x4(&window_for_yy_2nd[0]), load_aligned_f32x4(&window_for_yy_2nd[4])) + from_2_f32x4(load_aligned_f32x4(&window_for_yy_2nd[0]), load_aligned_f32x4(&window_for_yy_2nd[4]));
            const f32x4 xy = load_aligned_f32x4(&window_3rd[0]) + from_1_f32x4(load_aligned_f32x4(&window_3rd[0]), load_aligned_f32x4(&window_3rd[4])) + from_2_f32x4(load_aligned_f32x4(&window_3rd[0]), load_aligned_f32x4(&window_3rd[4]));
            const f32x4 trace = xx + yy;
            const f32x4 difference = xx * yy - xy * xy - broadcast_f32x4(0.04f) * trace * trace;
            if (n_block * 4 + 3 < N) {
              store_f32x4(&output[(m_block * 2 + m) * N + n_block * 4], difference);
            } else {
              for (int64_t n = 0; n < min_i64(N - n_block * 4, 4); n++) {
                output[(m_block * 2 + m) * N + n_block * 4 + n] = difference[n];
              }
            }
          }
        }
      }
    } else {
      report(&status, 1);
    }
    if (window != window_near) give_memory(window);
    if (window_of_m_block_2nd != window_of_m_block_2nd_near) give_memory(window_of_m_block_2nd);
    if (window_of_m_block_1st != window_of_m_block_1st_near) give_memory(window_of_m_block_1st);
  }
  return status;
}
