// floyd_warshall(direct: N.N.f32) -> N.N.f32 for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { const float r = a < b ? a : b; return a != a ? a : r; }

extern "C" __global__ void __launch_bounds__(256) floyd_warshall(
    const float* __restrict__ direct,
    float* __restrict__ ways,
    const int N
) {
  for (int n_row = blockIdx.x * 256 + threadIdx.x; n_row < N; n_row += gridDim.x * 256) {
    for (int n_column = 0; n_column < N; n_column++) {
      ways[n_row * N + n_column] = fabsf(direct[n_row * N + n_column]);
    }
  }
}

extern "C" __global__ void __launch_bounds__(1) floyd_warshall_1(
    float* __restrict__ ways,
    float* __restrict__ next,
    const int N
) {
  for (int i_k = 0; i_k < N; i_k++) {
    for (int i_row = 0; i_row < N; i_row++) {
      for (int i = 0; i < N; i++) {
        next[i_row * N + i] = min_f32(ways[i_row * N + i], ways[i_row * N + i_k] + ways[i_k * N + i]);
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
  for (int n_row = blockIdx.x * 256 + threadIdx.x; n_row < N; n_row += gridDim.x * 256) {
    for (int n_column = 0; n_column < N; n_column++) {
      output[n_row * N + n_column] = ways[n_row * N + n_column];
    }
  }
}
