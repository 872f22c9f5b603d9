// divide(xs: 35.i32, ys: 35.i32) -> 35.(i32, i32)
#include <stdbool.h>
#include <stdint.h>

static inline int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static inline void report(int *status, int site) { // the first site that failed, for the caller
  int none = 0;
  __atomic_compare_exchange_n(status, &none, site, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline int32_t div_i32(int32_t a, int32_t b, int *status, int site) {
  if (b == 0) {
    report(status, site);
    return 0;
  }
  if (b == -1) return -a; // the least integer wraps
  return a / b;
}

static inline int32_t mod_i32(int32_t a, int32_t b, int *status, int site) {
  if (b == 0) {
    report(status, site);
    return 0;
  }
  if (b == -1) return 0; // the least integer wraps
  return a % b;
}

int divide(
    const int32_t *restrict xs,
    const int32_t *restrict ys,
    int32_t *restrict output_1st,
    int32_t *restrict output_2nd
) {
  int status = 0;
  for (int64_t i_block = 0; i_block < 2; i_block++) {
    for (int64_t i = 0; i < min_i64(35 - i_block * 32, 32); i++) {
      const int64_t at_i = i_block * 32 + i;
      const bool ys_is_zero = ys[at_i] == 0;
      output_1st[at_i] = ys_is_zero ? 0 : div_i32(xs[at_i], ys[at_i], &status, 1);
      output_2nd[at_i] = ys_is_zero ? 0 : mod_i32(xs[at_i], ys[at_i], &status, 1);
    }
  }
  return status;
}
