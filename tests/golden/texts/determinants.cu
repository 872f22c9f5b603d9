// determinants(matrices: N.3.3.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) determinants(
    const float* __restrict__ matrices,
    float* __restrict__ output,
    const int N
) {
  for (int i_matrix = blockIdx.x * 256 + threadIdx.x; i_matrix < N; i_matrix += gridDim.x * 256) {
    const float x = matrices[i_matrix * 9] * (matrices[i_matrix * 9 + 4] * matrices[i_matrix * 9 + 8] - matrices[i_matrix * 9 + 5] * matrices[i_matrix * 9 + 7]) - matrices[i_matrix * 9 + 1] * (matrices[i_matrix * 9 + 3] * matrices[i_matrix * 9 + 8] - matrices[i_matrix * 9 + 5] * matrices[i_matrix * 9 + 6]);
    const float x_1 = x + matrices[i_matrix * 9 + 2] * (matrices[i_matrix * 9 + 3] * matrices[i_matrix * 9 + 7] - matrices[i_matrix * 9 + 4] * matrices[i_matrix * 9 + 6]);
    output[i_matrix] = x_1;
  }
}
