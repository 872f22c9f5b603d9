// transpose4(xs: K.L.M.N.f32) -> N.M.L.K.f32 for all K, L, M, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) transpose4(
    const float* __restrict__ xs,
    float* __restrict__ output,
    const int K,
    const int L,
    const int M,
    const int N
) {
  for (int i_x = blockIdx.z * 2 + threadIdx.z; i_x < N; i_x += gridDim.z * 2) {
    for (int i_x_1 = blockIdx.y * 4 + threadIdx.y; i_x_1 < M; i_x_1 += gridDim.y * 4) {
      for (int i_x_2 = blockIdx.x * 32 + threadIdx.x; i_x_2 < L; i_x_2 += gridDim.x * 32) {
        for (int i_x_3 = 0; i_x_3 < K; i_x_3++) {
          output[((i_x * M + i_x_1) * L + i_x_2) * K + i_x_3] = xs[((i_x_3 * L + i_x_2) * M + i_x_1) * N + i_x];
        }
      }
    }
  }
}
