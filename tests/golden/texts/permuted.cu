// permuted(indices: M.idx[N], xs: N.(f32, i32)) -> M.(f32, i32) for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) permuted(
    const long long* __restrict__ indices,
    const float* __restrict__ xs_1,
    const int* __restrict__ xs_2,
    float* __restrict__ output_1,
    int* __restrict__ output_2,
    const int M
) {
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    const int at = (int)indices[m];
    output_1[m] = xs_1[at];
    output_2[m] = xs_2[at];
  }
}
