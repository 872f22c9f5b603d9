// histogram(at: n.idx[16]) -> 16.i32 for all n
// for sm_80
extern "C" __global__ void __launch_bounds__(64) histogram(
    const long long* __restrict__ at,
    int* __restrict__ output,
    const int n
) {
  for (int i_n = blockIdx.x * 64 + threadIdx.x; i_n < n; i_n += 256) {
    const int j = (int)at[i_n];
    atomicAdd(&output[j], 1);
  }
}
