// warp(image: H.W.f32, places: M.N.(f32, f32)) -> M.N.f32 for all H, W, M, N
#include <math.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t i64_of_f32(float a) { return !(a >= 1.0f || a <= -1.0f) ? 0 : a <= -9.223372036854776e+18f ? INT64_MIN : a >= 9.223372036854776e+18f ? INT64_MAX : (int64_t)a; }

static __attribute__((cold, noinline)) void report_index(int *status, int site, int64_t *failure, int64_t i, int64_t n) {
  int none = 0; // the first that failed, for the caller
  if (!__atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  failure[0] = i;
  failure[1] = n;
}

static inline int64_t toIndex_i64(int64_t i, int64_t n, int *status, int site, int64_t *failure) {
  if (n > 0) return i < 0 ? 0 : i < n ? i : n - 1;
  report_index(status, site, failure, i, n);
  return 0;
}

static _Thread_local int64_t last_failure[2]; // what was no index, and the size of its array

int warp(
    int64_t H,
    int64_t W,
    int64_t M,
    int64_t N,
    const float *restrict image,
    const float *restrict places_1st,
    const float *restrict places_2nd,
    float *restrict output
) {
  int status = 0;
  int64_t *const failure = last_failure;
  #pragma omp parallel for schedule(static) if(44 < (M * N + 31) / 32)
  for (int64_t n_block = 0; n_block < (M * N + 31) / 32; n_block++) {
    for (int64_t n = 0; n < min_i64(M * N - n_block * 32, 32); n++) {
      const int64_t at_n = n_block * 32 + n;
      const float p = floorf(places_1st[at_n]);
      const float p_1 = floorf(places_2nd[at_n]);
      const int64_t at = toIndex_i64(i64_of_f32(p_1), W, &status, 1, failure);
      const int64_t at_1 = toIndex_i64(i64_of_f32(p), H, &status, 2, failure);
      const float a = 0 < W ? (0 < H ? image[at_1 * W + at] : 0.0f) : 0.0f;
      const int64_t at_2 = toIndex_i64(i64_of_f32(p_1 + 1.0f), W, &status, 3, failure);
      const float product = (places_2nd[at_n] - p_1) * ((0 < W ? (0 < H ? image[at_1 * W + at_2] : 0.0f) : 0.0f) - a);
      const float above = a + product;
      const int64_t at_3 = toIndex_i64(i64_of_f32(p + 1.0f), H, &status, 4, failure);
      const float a_1 = 0 < W ? (0 < H ? image[at_3 * W + at] : 0.0f) : 0.0f;
      const float product_1 = (places_2nd[at_n] - p_1) * ((0 < W ? (0 < H ? image[at_3 * W + at_2] : 0.0f) : 0.0f) - a_1);
      output[at_n] = above + (places_1st[at_n] - p) * (a_1 + product_1 - above);
    }
  }
  return status;
}
