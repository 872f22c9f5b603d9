// sum(x: n.f32) -> f32 for all n
// for sm_80
extern "C" __global__ void __launch_bounds__(128) sum_1(
    const float* __restrict__ x,
    float* __restrict__ partial,
    const int n
) {
  for (int r = blockIdx.x * 128 + threadIdx.x; r < n / 64; r += gridDim.x * 128) {
    float acc;
    acc = 0.0f;
    #pragma unroll
    for (int i = 0; i < 64; i++) {
      acc = acc + x[r * 64 + i];
    }
    partial[r] = acc;
  }
}

extern "C" __global__ void __launch_bounds__(1) sum_2(
    const float* __restrict__ partial,
    float* __restrict__ output,
    const int n
) {
  const int o = threadIdx.x;
  float total;
  total = 0.0f;
  for (int s = 0; s < n / 64; s++) {
    total = total + partial[s];
  }
  output[0] = total;
}
