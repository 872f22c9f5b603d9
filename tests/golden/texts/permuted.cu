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
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < M; i_x += gridDim.x * 256) {
    const int at = (int)indices[i_x];
    output_1[i_x] = xs_1[at];
    output_2[i_x] = xs_2[at];
  }
}
