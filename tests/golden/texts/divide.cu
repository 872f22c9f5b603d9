// divide(xs: 35.i32, ys: 35.i32) -> 35.(i32, i32)
// for sm_80

__device__ __forceinline__ int div_i32(int a, int b) {
  if (b == 0) return 0;
  if (b == -1) return (int)-(unsigned)a; // the least integer wraps
  return a / b;
}

__device__ __forceinline__ int mod_i32(int a, int b) {
  if (b == 0) return 0;
  if (b == -1) return 0; // the least integer wraps
  return a % b;
}

extern "C" __global__ void __launch_bounds__(64) divide(
    const int* __restrict__ xs,
    const int* __restrict__ ys,
    int* __restrict__ output_1st,
    int* __restrict__ output_2nd
) {
  if (blockIdx.x * 64 + threadIdx.x < 35) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    const bool ys_is_zero = ys[i] == 0;
    output_1st[i] = ys_is_zero ? 0 : div_i32(xs[i], ys[i]);
    output_2nd[i] = ys_is_zero ? 0 : mod_i32(xs[i], ys[i]);
  }
}
