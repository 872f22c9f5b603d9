// determinants(matrices: N.3.3.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) determinants(
    const float* __restrict__ matrices,
    float* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N; n += gridDim.x * 256) {
    const float difference = matrices[n * 9] * (matrices[n * 9 + 4] * matrices[n * 9 + 8] - matrices[n * 9 + 5] * matrices[n * 9 + 7]) - matrices[n * 9 + 1] * (matrices[n * 9 + 3] * matrices[n * 9 + 8] - matrices[n * 9 + 5] * matrices[n * 9 + 6]);
    output[n] = difference + matrices[n * 9 + 2] * (matrices[n * 9 + 3] * matrices[n * 9 + 7] - matrices[n * 9 + 4] * matrices[n * 9 + 6]);
  }
}
