// kernel(image: 3.(M + 4).(N + 4).f32) -> M.N.f32 for all M, N where ceil(M, 2) >= 1, ceil(N, 4) >= 1
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32x4_a __attribute__((vector_size(16), aligned(16), may_alias));

static inline void *allocate(int64_t count, size_t width) { // NULL where there is no such memory
  size_t bytes;
  if (__builtin_mul_overflow((size_t)count, width, &bytes) || bytes > (size_t)PTRDIFF_MAX - 64) return NULL;
  return aligned_alloc(64, (bytes + 64) / 64 * 64);
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
  #pragma omp parallel for schedule(static)
  for (int64_t i_x = 0; i_x < (M + 1) / 2; i_x++) {
    float *const window = allocate(8 * ((N + 3) / 4) + 8, sizeof(float));
    float *const window_1 = allocate(8 * ((N + 3) / 4) + 8, sizeof(float));
    float *const window_2 = allocate(8 * ((N + 3) / 4) + 16, sizeof(float));
    if (window != NULL && window_1 != NULL && window_2 != NULL) {
      for (int64_t i_line = 0; i_line < 2; i_line++) {
        for (int64_t i_first = 0; i_first < (N + 3) / 4; i_first++) {
          const f32x4 x = broadcast_f32x4(0.299f) * load_f32x4(&image[(i_x * 2 + i_line) * N + i_x * 8 + i_line * 4 + i_first * 4]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(i_x * 2 + i_line + M + 4) * N + i_x * 8 + i_line * 4 + i_first * 4 + 4 * M + 16]);
          const f32x4 x_1 = x + broadcast_f32x4(0.114f) * load_f32x4(&image[(i_x * 2 + i_line + 2 * M + 8) * N + i_x * 8 + i_line * 4 + i_first * 4 + 8 * M + 32]);
          store_aligned_f32x4(&window_2[i_line * 4 * ((N + 3) / 4) + i_line * 8 + i_first * 4], x_1);
        }
        for (int64_t i_first = 0; i_first < 2; i_first++) {
          const f32x4 x = broadcast_f32x4(0.299f) * load_first_f32x4(&image[(i_x * 2 + i_line) * N + i_x * 8 + i_line * 4 + i_first * 4 + 4 * ((N + 3) / 4)], N - i_first * 4 - 4 * ((N + 3) / 4) + 4) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(i_x * 2 + i_line + M + 4) * N + i_x * 8 + i_line * 4 + i_first * 4 + 4 * M + 4 * ((N + 3) / 4) + 16], N - i_first * 4 - 4 * ((N + 3) / 4) + 4);
          const f32x4 x_1 = x + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(i_x * 2 + i_line + 2 * M + 8) * N + i_x * 8 + i_line * 4 + i_first * 4 + 8 * M + 4 * ((N + 3) / 4) + 32], N - i_first * 4 - 4 * ((N + 3) / 4) + 4);
          store_aligned_f32x4(&window_2[(i_line * 4 + 4) * ((N + 3) / 4) + i_line * 8 + i_first * 4], x_1);
        }
      }
      for (int64_t i_line_1 = 0; i_line_1 < 2; i_line_1++) {
        _Alignas(64) float window_3[8];
        _Alignas(64) float window_4[8];
        _Alignas(64) float column[12];
        #pragma GCC unroll 2
        for (int64_t i_old = 0; i_old < 2; i_old++) {
          store_aligned_f32x4(&column[i_old * 4], load_aligned_f32x4(&window_2[(i_line_1 + i_old) % 2 * 4 * ((N + 3) / 4) + (i_line_1 + i_old) % 2 * 8]));
        }
        const f32x4 x_2 = broadcast_f32x4(0.299f) * load_f32x4(&image[(i_x * 2 + i_line_1 + 2) * N + i_x * 8 + i_line_1 * 4 + 8]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(i_x * 2 + i_line_1 + M + 6) * N + i_x * 8 + i_line_1 * 4 + 4 * M + 24]) + broadcast_f32x4(0.114f) * load_f32x4(&image[(i_x * 2 + i_line_1 + 2 * M + 10) * N + i_x * 8 + i_line_1 * 4 + 8 * M + 40]);
        store_aligned_f32x4(&column[8], x_2);
        store_aligned_f32x4(&window_2[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 8], load_aligned_f32x4(&column[8]));
        const f32x4 x_3 = load_aligned_f32x4(&column[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column[4]) + load_aligned_f32x4(&column[8]);
        store_aligned_f32x4(&window_3[4], load_aligned_f32x4(&column[8]) - load_aligned_f32x4(&column[0]));
        store_aligned_f32x4(&window_4[4], x_3);
        for (int64_t i_first_1 = 0; i_first_1 < (N + 3) / 4 - 1; i_first_1++) {
          store_aligned_f32x4(&window_3[0], load_aligned_f32x4(&window_3[4]));
          store_aligned_f32x4(&window_4[0], load_aligned_f32x4(&window_4[4]));
          _Alignas(64) float column_1[12];
          #pragma GCC unroll 2
          for (int64_t i_old_1 = 0; i_old_1 < 2; i_old_1++) {
            store_aligned_f32x4(&column_1[i_old_1 * 4], load_aligned_f32x4(&window_2[(i_line_1 + i_old_1) % 2 * 4 * ((N + 3) / 4) + (i_line_1 + i_old_1) % 2 * 8 + i_first_1 * 4 + 4]));
          }
          const f32x4 x_4 = broadcast_f32x4(0.299f) * load_f32x4(&image[(i_x * 2 + i_line_1 + 2) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 12]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(i_x * 2 + i_line_1 + M + 6) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 4 * M + 28]);
          const f32x4 x_5 = x_4 + broadcast_f32x4(0.114f) * load_f32x4(&image[(i_x * 2 + i_line_1 + 2 * M + 10) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 8 * M + 44]);
          store_aligned_f32x4(&column_1[8], x_5);
          store_aligned_f32x4(&window_2[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 8 + i_first_1 * 4 + 4], load_aligned_f32x4(&column_1[8]));
          const f32x4 x_6 = load_aligned_f32x4(&column_1[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_1[4]) + load_aligned_f32x4(&column_1[8]);
          store_aligned_f32x4(&window_3[4], load_aligned_f32x4(&column_1[8]) - load_aligned_f32x4(&column_1[0]));
          store_aligned_f32x4(&window_4[4], x_6);
          const f32x4 x_7 = load_aligned_f32x4(&window_3[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_3[0]), load_aligned_f32x4(&window_3[4])) + from_2_f32x4(load_aligned_f32x4(&window_3[0]), load_aligned_f32x4(&window_3[4]));
          store_aligned_f32x4(&window[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 4 + i_first_1 * 4], (from_2_f32x4(load_aligned_f32x4(&window_4[0]), load_aligned_f32x4(&window_4[4])) - load_aligned_f32x4(&window_4[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&window_1[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 4 + i_first_1 * 4], x_7 * broadcast_f32x4(0.083333336f));
        }
        for (int64_t i_first_1 = 0; i_first_1 < min_i64((N + 3) / 4 + 1, 2); i_first_1++) {
          store_aligned_f32x4(&window_3[0], load_aligned_f32x4(&window_3[4]));
          store_aligned_f32x4(&window_4[0], load_aligned_f32x4(&window_4[4]));
          _Alignas(64) float column_1[12];
          #pragma GCC unroll 2
          for (int64_t i_old_1 = 0; i_old_1 < 2; i_old_1++) {
            store_aligned_f32x4(&column_1[i_old_1 * 4], load_aligned_f32x4(&window_2[(i_line_1 + i_old_1) % 2 * 4 * ((N + 3) / 4) + (i_line_1 + i_old_1) % 2 * 8 + i_first_1 * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 4]));
          }
          const f32x4 x_4 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[(i_x * 2 + i_line_1 + 2) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 12], N - i_first_1 * 4 - 4 * max_i64(0, (N + 3) / 4 - 1)) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(i_x * 2 + i_line_1 + M + 6) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 4 * M + 4 * max_i64(0, (N + 3) / 4 - 1) + 28], N - i_first_1 * 4 - 4 * max_i64(0, (N + 3) / 4 - 1));
          const f32x4 x_5 = x_4 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(i_x * 2 + i_line_1 + 2 * M + 10) * N + i_x * 8 + i_line_1 * 4 + i_first_1 * 4 + 8 * M + 4 * max_i64(0, (N + 3) / 4 - 1) + 44], N - i_first_1 * 4 - 4 * max_i64(0, (N + 3) / 4 - 1));
          store_aligned_f32x4(&column_1[8], x_5);
          store_aligned_f32x4(&window_2[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 8 + i_first_1 * 4 + 4 * max_i64(0, (N + 3) / 4 - 1) + 4], load_aligned_f32x4(&column_1[8]));
          const f32x4 x_6 = load_aligned_f32x4(&column_1[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_1[4]) + load_aligned_f32x4(&column_1[8]);
          store_aligned_f32x4(&window_3[4], load_aligned_f32x4(&column_1[8]) - load_aligned_f32x4(&column_1[0]));
          store_aligned_f32x4(&window_4[4], x_6);
          const f32x4 x_7 = load_aligned_f32x4(&window_3[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_3[0]), load_aligned_f32x4(&window_3[4])) + from_2_f32x4(load_aligned_f32x4(&window_3[0]), load_aligned_f32x4(&window_3[4]));
          store_aligned_f32x4(&window[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 4 + i_first_1 * 4 + 4 * max_i64(0, (N + 3) / 4 - 1)], (from_2_f32x4(load_aligned_f32x4(&window_4[0]), load_aligned_f32x4(&window_4[4])) - load_aligned_f32x4(&window_4[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&window_1[i_line_1 * 4 * ((N + 3) / 4) + i_line_1 * 4 + i_first_1 * 4 + 4 * max_i64(0, (N + 3) / 4 - 1)], x_7 * broadcast_f32x4(0.083333336f));
        }
      }
      for (int64_t i_x_1 = 0; i_x_1 < 2; i_x_1++) {
        _Alignas(64) float window_5[8];
        _Alignas(64) float window_6[8];
        _Alignas(64) float column_2[12];
        #pragma GCC unroll 2
        for (int64_t i_old_2 = 0; i_old_2 < 2; i_old_2++) {
          store_aligned_f32x4(&column_2[i_old_2 * 4], load_aligned_f32x4(&window_2[(i_x_1 + i_old_2) % 2 * 4 * ((N + 3) / 4) + (i_x_1 + i_old_2) % 2 * 8]));
        }
        const f32x4 x_8 = broadcast_f32x4(0.299f) * load_f32x4(&image[min_i64(M + 3, i_x * 2 + i_x_1 + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4]) + broadcast_f32x4(0.587f) * load_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + M + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + 4 * M + 16]) + broadcast_f32x4(0.114f) * load_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + 2 * M + 8) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + 8 * M + 32]);
        store_aligned_f32x4(&column_2[8], x_8);
        store_aligned_f32x4(&window_2[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 8], load_aligned_f32x4(&column_2[8]));
        const f32x4 x_9 = load_aligned_f32x4(&column_2[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_2[4]) + load_aligned_f32x4(&column_2[8]);
        store_aligned_f32x4(&window_5[4], load_aligned_f32x4(&column_2[8]) - load_aligned_f32x4(&column_2[0]));
        store_aligned_f32x4(&window_6[4], x_9);
        if (i_x * 2 + i_x_1 < M) {
          _Alignas(64) float window_7[8];
          _Alignas(64) float window_8[8];
          _Alignas(64) float window_9[8];
          _Alignas(64) float column_3[12];
          _Alignas(64) float column_4[12];
          #pragma GCC unroll 2
          for (int64_t i_old_3 = 0; i_old_3 < 2; i_old_3++) {
            store_aligned_f32x4(&column_3[i_old_3 * 4], load_aligned_f32x4(&window[(i_x_1 + i_old_3) % 2 * 4 * ((N + 3) / 4) + (i_x_1 + i_old_3) % 2 * 4]));
            store_aligned_f32x4(&column_4[i_old_3 * 4], load_aligned_f32x4(&window_1[(i_x_1 + i_old_3) % 2 * 4 * ((N + 3) / 4) + (i_x_1 + i_old_3) % 2 * 4]));
          }
          store_aligned_f32x4(&window_5[0], load_aligned_f32x4(&window_5[4]));
          store_aligned_f32x4(&window_6[0], load_aligned_f32x4(&window_6[4]));
          _Alignas(64) float column_5[12];
          #pragma GCC unroll 2
          for (int64_t i_old_4 = 0; i_old_4 < 2; i_old_4++) {
            store_aligned_f32x4(&column_5[i_old_4 * 4], load_aligned_f32x4(&window_2[(i_x_1 + i_old_4) % 2 * 4 * ((N + 3) / 4) + (i_x_1 + i_old_4) % 2 * 8 + 4]));
          }
          const f32x4 x_10 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[min_i64(M + 3, i_x * 2 + i_x_1 + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + 4], N) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + M + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + 4 * M + 20], N);
          const f32x4 x_11 = x_10 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + 2 * M + 8) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + 8 * M + 36], N);
          store_aligned_f32x4(&column_5[8], x_11);
          store_aligned_f32x4(&window_2[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 8 + 4], load_aligned_f32x4(&column_5[8]));
          const f32x4 x_12 = load_aligned_f32x4(&column_5[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_5[4]) + load_aligned_f32x4(&column_5[8]);
          store_aligned_f32x4(&window_5[4], load_aligned_f32x4(&column_5[8]) - load_aligned_f32x4(&column_5[0]));
          store_aligned_f32x4(&window_6[4], x_12);
          const f32x4 x_13 = load_aligned_f32x4(&window_5[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_5[0]), load_aligned_f32x4(&window_5[4])) + from_2_f32x4(load_aligned_f32x4(&window_5[0]), load_aligned_f32x4(&window_5[4]));
          store_aligned_f32x4(&column_3[8], (from_2_f32x4(load_aligned_f32x4(&window_6[0]), load_aligned_f32x4(&window_6[4])) - load_aligned_f32x4(&window_6[0])) * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&column_4[8], x_13 * broadcast_f32x4(0.083333336f));
          store_aligned_f32x4(&window[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 4], load_aligned_f32x4(&column_3[8]));
          store_aligned_f32x4(&window_1[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 4], load_aligned_f32x4(&column_4[8]));
          const f32x4 new_ = load_aligned_f32x4(&column_3[0]) * load_aligned_f32x4(&column_3[0]) + load_aligned_f32x4(&column_3[4]) * load_aligned_f32x4(&column_3[4]) + load_aligned_f32x4(&column_3[8]) * load_aligned_f32x4(&column_3[8]);
          const f32x4 new__1 = load_aligned_f32x4(&column_4[0]) * load_aligned_f32x4(&column_4[0]) + load_aligned_f32x4(&column_4[4]) * load_aligned_f32x4(&column_4[4]) + load_aligned_f32x4(&column_4[8]) * load_aligned_f32x4(&column_4[8]);
          const f32x4 new__2 = load_aligned_f32x4(&column_3[0]) * load_aligned_f32x4(&column_4[0]) + load_aligned_f32x4(&column_3[4]) * load_aligned_f32x4(&column_4[4]) + load_aligned_f32x4(&column_3[8]) * load_aligned_f32x4(&column_4[8]);
          store_aligned_f32x4(&window_7[4], new_);
          store_aligned_f32x4(&window_8[4], new__1);
          store_aligned_f32x4(&window_9[4], new__2);
          for (int64_t i_x_2 = 0; i_x_2 < (N + 3) / 4; i_x_2++) {
            store_aligned_f32x4(&window_7[0], load_aligned_f32x4(&window_7[4]));
            store_aligned_f32x4(&window_8[0], load_aligned_f32x4(&window_8[4]));
            store_aligned_f32x4(&window_9[0], load_aligned_f32x4(&window_9[4]));
            _Alignas(64) float column_6[12];
            _Alignas(64) float column_7[12];
            #pragma GCC unroll 2
            for (int64_t i_old_5 = 0; i_old_5 < 2; i_old_5++) {
              store_aligned_f32x4(&column_6[i_old_5 * 4], load_aligned_f32x4(&window[(i_x_1 + i_old_5) % 2 * 4 * ((N + 3) / 4) + i_x_2 * 4 + (i_x_1 + i_old_5) % 2 * 4 + 4]));
              store_aligned_f32x4(&column_7[i_old_5 * 4], load_aligned_f32x4(&window_1[(i_x_1 + i_old_5) % 2 * 4 * ((N + 3) / 4) + i_x_2 * 4 + (i_x_1 + i_old_5) % 2 * 4 + 4]));
            }
            store_aligned_f32x4(&window_5[0], load_aligned_f32x4(&window_5[4]));
            store_aligned_f32x4(&window_6[0], load_aligned_f32x4(&window_6[4]));
            _Alignas(64) float column_8[12];
            #pragma GCC unroll 2
            for (int64_t i_old_6 = 0; i_old_6 < 2; i_old_6++) {
              store_aligned_f32x4(&column_8[i_old_6 * 4], load_aligned_f32x4(&window_2[(i_x_1 + i_old_6) % 2 * 4 * ((N + 3) / 4) + (i_x_1 + i_old_6) % 2 * 8 + i_x_2 * 4 + 8]));
            }
            const f32x4 x_14 = broadcast_f32x4(0.299f) * load_first_f32x4(&image[min_i64(M + 3, i_x * 2 + i_x_1 + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + i_x_2 * 4 + 8], N - i_x_2 * 4 - 4) + broadcast_f32x4(0.587f) * load_first_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + M + 4) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + i_x_2 * 4 + 4 * M + 24], N - i_x_2 * 4 - 4);
            const f32x4 x_15 = x_14 + broadcast_f32x4(0.114f) * load_first_f32x4(&image[(min_i64(M + 3, i_x * 2 + i_x_1 + 4) + 2 * M + 8) * N + min_i64(M + 3, i_x * 2 + i_x_1 + 4) * 4 + i_x_2 * 4 + 8 * M + 40], N - i_x_2 * 4 - 4);
            store_aligned_f32x4(&column_8[8], x_15);
            store_aligned_f32x4(&window_2[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 8 + i_x_2 * 4 + 8], load_aligned_f32x4(&column_8[8]));
            const f32x4 x_16 = load_aligned_f32x4(&column_8[0]) + broadcast_f32x4(2.0f) * load_aligned_f32x4(&column_8[4]) + load_aligned_f32x4(&column_8[8]);
            store_aligned_f32x4(&window_5[4], load_aligned_f32x4(&column_8[8]) - load_aligned_f32x4(&column_8[0]));
            store_aligned_f32x4(&window_6[4], x_16);
            const f32x4 x_17 = load_aligned_f32x4(&window_5[0]) + broadcast_f32x4(2.0f) * from_1_f32x4(load_aligned_f32x4(&window_5[0]), load_aligned_f32x4(&window_5[4])) + from_2_f32x4(load_aligned_f32x4(&window_5[0]), load_aligned_f32x4(&window_5[4]));
            store_aligned_f32x4(&column_6[8], (from_2_f32x4(load_aligned_f32x4(&window_6[0]), load_aligned_f32x4(&window_6[4])) - load_aligned_f32x4(&window_6[0])) * broadcast_f32x4(0.083333336f));
            store_aligned_f32x4(&column_7[8], x_17 * broadcast_f32x4(0.083333336f));
            store_aligned_f32x4(&window[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 4 + i_x_2 * 4 + 4], load_aligned_f32x4(&column_6[8]));
            store_aligned_f32x4(&window_1[i_x_1 * 4 * ((N + 3) / 4) + i_x_1 * 4 + i_x_2 * 4 + 4], load_aligned_f32x4(&column_7[8]));
            const f32x4 new__3 = load_aligned_f32x4(&column_6[0]) * load_aligned_f32x4(&column_6[0]) + load_aligned_f32x4(&column_6[4]) * load_aligned_f32x4(&column_6[4]) + load_aligned_f32x4(&column_6[8]) * load_aligned_f32x4(&column_6[8]);
            const f32x4 new__4 = load_aligned_f32x4(&column_7[0]) * load_aligned_f32x4(&column_7[0]) + load_aligned_f32x4(&column_7[4]) * load_aligned_f32x4(&column_7[4]) + load_aligned_f32x4(&column_7[8]) * load_aligned_f32x4(&column_7[8]);
            const f32x4 new__5 = load_aligned_f32x4(&column_6[0]) * load_aligned_f32x4(&column_7[0]) + load_aligned_f32x4(&column_6[4]) * load_aligned_f32x4(&column_7[4]) + load_aligned_f32x4(&column_6[8]) * load_aligned_f32x4(&column_7[8]);
            store_aligned_f32x4(&window_7[4], new__3);
            store_aligned_f32x4(&window_8[4], new__4);
            store_aligned_f32x4(&window_9[4], new__5);
            const f32x4 xx = load_aligned_f32x4(&window_7[0]) + from_1_f32x4(load_aligned_f32x4(&window_7[0]), load_aligned_f32x4(&window_7[4])) + from_2_f32x4(load_aligned_f32x4(&window_7[0]), load_aligned_f32x4(&window_7[4]));
            const f32x4 yy = load_aligned_f32x4(&window_8[0]) + from_1_f32x4(load_aligned_f32x4(&window_8[0]), load_aligned_f32x4(&window_8[4])) + from_2_f32x4(load_aligned_f32x4(&window_8[0]), load_aligned_f32x4(&window_8[4]));
            const f32x4 xy = load_aligned_f32x4(&window_9[0]) + from_1_f32x4(load_aligned_f32x4(&window_9[0]), load_aligned_f32x4(&window_9[4])) + from_2_f32x4(load_aligned_f32x4(&window_9[0]), load_aligned_f32x4(&window_9[4]));
            const f32x4 trace = xx + yy;
            const f32x4 x_18 = xx * yy - xy * xy - broadcast_f32x4(0.04f) * trace * trace;
            if (i_x_2 * 4 + 3 < N) {
              store_f32x4(&output[(i_x * 2 + i_x_1) * N + i_x_2 * 4], x_18);
            }
            if (N < i_x_2 * 4 + 4) {
              for (int64_t i_lane = 0; i_lane < min_i64(N - i_x_2 * 4, 4); i_lane++) {
                output[(i_x * 2 + i_x_1) * N + i_x_2 * 4 + i_lane] = x_18[i_lane];
              }
            }
          }
        }
      }
    } else {
      report(&status, 1);
    }
    free(window_2);
    free(window_1);
    free(window);
  }
  return status;
}
