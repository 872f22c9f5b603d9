// floyd_warshall(direct: N.N.f32) -> N.N.f32 for all N
// for sm_80

__device__ __forceinline__ float min_f32(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) floyd_warshall(
    const float* __restrict__ direct,
    float* __restrict__ ways,
    float* __restrict__ next,
    float* __restrict__ output,
    const int N
) {
  for (int n_row_thread = threadIdx.y; n_row_thread < N; n_row_thread += 8) {
    for (int n_column_thread = threadIdx.x; n_column_thread < N; n_column_thread += 32) {
      ways[n_row_thread * N + n_column_thread] = fabsf(direct[n_row_thread * N + n_column_thread]);
    }
  }
  for (int n_column = 0; n_column < N; n_column++) {
    __syncthreads();
    for (int n_row_thread = threadIdx.y; n_row_thread < N; n_row_thread += 8) {
      for (int n_column_thread = threadIdx.x; n_column_thread < N; n_column_thread += 32) {
        next[n_row_thread * N + n_column_thread] = min_f32(ways[n_row_thread * N + n_column_thread], ways[n_row_thread * N + n_column] + ways[n_column * N + n_column_thread]);
      }
    }
    __syncthreads();
    for (int n_row_thread = threadIdx.y; n_row_thread < N; n_row_thread += 8) {
      for (int n_column_thread = threadIdx.x; n_column_thread < N; n_column_thread += 32) {
        ways[n_row_thread * N + n_column_thread] = next[n_row_thread * N + n_column_thread];
      }
    }
  }
  for (int n_row_thread = threadIdx.y; n_row_thread < N; n_row_thread += 8) {
    for (int n_column_thread = threadIdx.x; n_column_thread < N; n_column_thread += 32) {
      output[n_row_thread * N + n_column_thread] = ways[n_row_thread * N + n_column_thread];
    }
  }
}
