// edit_distance(a: M.u8, b: N.u8) -> (N + 1).i32 for all M, N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) edit_distance(int* __restrict__ row, const int N) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N + 1; i_x += gridDim.x * 256) {
    row[i_x] = (int)(long long)i_x;
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
  for (int i_letter = 0; i_letter < M; i_letter++) {
    const unsigned char letter_1 = a[i_letter];
    const int first_1 = add_i32(row[0], 1);
    next[0] = first_1;
    int left_1;
    left_1 = first_1;
    for (int i_above_1 = 0; i_above_1 < N; i_above_1++) {
      const int x_1 = min_i32(add_i32(row[i_above_1 + 1], 1), add_i32(row[i_above_1], b[i_above_1] == letter_1 ? 0 : 1));
      left_1 = min_i32(add_i32(left_1, 1), x_1);
      next[i_above_1 + 1] = left_1;
    }
    for (int i_copy = 0; i_copy < N + 1; i_copy++) {
      row[i_copy] = next[i_copy];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) edit_distance_2(
    const int* __restrict__ row,
    int* __restrict__ output,
    const int N
) {
  for (int i_x_1 = blockIdx.x * 256 + threadIdx.x; i_x_1 < N + 1; i_x_1 += gridDim.x * 256) {
    output[i_x_1] = row[i_x_1];
  }
}
