// permuted(indices: M.idx[N], xs: N.(f32, i32)) -> M.(f32, i32) for all M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) permuted(
    const long long* __restrict__ indices,
    const float* __restrict__ xs_1st,
    const int* __restrict__ xs_2nd,
    float* __restrict__ output_1st,
    int* __restrict__ output_2nd,
    const int M
) {
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    const int indices_entry = (int)indices[m];
    output_1st[m] = xs_1st[indices_entry];
    output_2nd[m] = xs_2nd[indices_entry];
  }
}
