// permuted(indices: M.idx[N], xs: N.(f32, i32)) -> M.(f32, i32) for all M, N
#include <stdint.h>

int permuted(
    int64_t M,
    int64_t N,
    const int64_t *restrict indices,
    const float *restrict xs_1,
    const int32_t *restrict xs_2,
    float *restrict output_1,
    int32_t *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t m = 0; m < M; m++) {
    const int64_t at = indices[m];
    output_1[m] = xs_1[at];
    output_2[m] = xs_2[at];
  }
  return 0;
}
