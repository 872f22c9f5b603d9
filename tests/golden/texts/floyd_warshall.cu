// floyd_warshall(direct: N.N.f32) -> N.N.f32 for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) floyd_warshall(
    const float* __restrict__ direct,
    float* __restrict__ ways,
    const int N
) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    for (int i_x_1 = 0; i_x_1 < N; i_x_1++) {
      ways[i_x * N + i_x_1] = fabsf(direct[i_x * N + i_x_1]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(1) floyd_warshall_1(
    float* __restrict__ ways,
    float* __restrict__ next,
    const int N
) {
  for (int i_k = 0; i_k < N; i_k++) {
    for (int i_row_1 = 0; i_row_1 < N; i_row_1++) {
      for (int i_p_1 = 0; i_p_1 < N; i_p_1++) {
        next[i_row_1 * N + i_p_1] = min_f32(ways[i_row_1 * N + i_p_1], ways[i_row_1 * N + i_k] + ways[i_k * N + i_p_1]);
      }
    }
    for (int i_copy = 0; i_copy < N; i_copy++) {
      for (int i_copy_1 = 0; i_copy_1 < N; i_copy_1++) {
        ways[i_copy * N + i_copy_1] = next[i_copy * N + i_copy_1];
      }
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) floyd_warshall_2(
    const float* __restrict__ ways,
    float* __restrict__ output,
    const int N
) {
  for (int i_x_2 = blockIdx.x * 256 + threadIdx.x; i_x_2 < N; i_x_2 += gridDim.x * 256) {
    for (int i_x_3 = 0; i_x_3 < N; i_x_3++) {
      output[i_x_2 * N + i_x_3] = ways[i_x_2 * N + i_x_3];
    }
  }
}
