// sum(x: n.f32) -> f32 for all n
// for sm_80
extern "C" __global__ void __launch_bounds__(128) sum_1(
    const float* __restrict__ x,
    float* __restrict__ partial_by_thread,
    const int n
) {
  for (int i_n = blockIdx.x * 128 + threadIdx.x; i_n < n / 64; i_n += gridDim.x * 128) {
    float partial_of_thread;
    partial_of_thread = 0.0f;
    #pragma unroll
    for (int i_n_1 = 0; i_n_1 < 64; i_n_1++) {
      partial_of_thread = partial_of_thread + x[i_n * 64 + i_n_1];
    }
    partial_by_thread[i_n] = partial_of_thread;
  }
}

extern "C" __global__ void __launch_bounds__(1) sum_2(
    const float* __restrict__ partial_by_thread,
    float* __restrict__ output,
    const int n
) {
  float total;
  total = 0.0f;
  for (int s = 0; s < n / 64; s++) {
    total = total + partial_by_thread[s];
  }
  output[0] = total;
}
