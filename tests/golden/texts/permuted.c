// permuted(indices: M.idx[N], xs: N.(f32, i32)) -> M.(f32, i32) for all M, N
#include <stdint.h>

int permuted(
    int64_t M,
    int64_t N,
    const int64_t *restrict indices,
    const float *restrict xs_1st,
    const int32_t *restrict xs_2nd,
    float *restrict output_1st,
    int32_t *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(10922 < M)
  for (int64_t m = 0; m < M; m++) {
    const int64_t indices_entry = indices[m];
    output_1st[m] = xs_1st[indices_entry];
    output_2nd[m] = xs_2nd[indices_entry];
  }
  return 0;
}
