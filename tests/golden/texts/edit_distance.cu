// edit_distance(a: M.u8, b: N.u8) -> (N + 1).i32 for all M, N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) edit_distance(int* __restrict__ row, const int N) {
  for (int thread = blockIdx.x * 256 + threadIdx.x; thread < N + 1; thread += gridDim.x * 256) {
    row[thread] = (int)(long long)thread;
  }
}

extern "C" __global__ void __launch_bounds__(1) edit_distance_1(
    const unsigned char* __restrict__ a,
    const unsigned char* __restrict__ b,
    int* __restrict__ row,
    int* __restrict__ next,
    const int M,
    const int N
) {
  for (int m = 0; m < M; m++) {
    const unsigned char letter = a[m];
    const int first = add_i32(row[0], 1);
    next[0] = first;
    int left;
    left = first;
    for (int n = 0; n < N; n++) {
      const int minimum = min_i32(add_i32(row[n + 1], 1), add_i32(row[n], b[n] == letter ? 0 : 1));
      left = min_i32(add_i32(left, 1), minimum);
      next[n + 1] = left;
    }
    for (int n = 0; n < N + 1; n++) {
      row[n] = next[n];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) edit_distance_2(
    const int* __restrict__ row,
    int* __restrict__ output,
    const int N
) {
  for (int n = blockIdx.x * 256 + threadIdx.x; n < N + 1; n += gridDim.x * 256) {
    output[n] = row[n];
  }
}
