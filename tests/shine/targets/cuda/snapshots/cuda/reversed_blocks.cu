// reverse(x: n.13000.f32) -> n.13000.f32 for all n
// for sm_80
extern "C" __global__ void __launch_bounds__(512) reverse(
    const float* __restrict__ x,
    float* __restrict__ output
) {
  extern __shared__ __align__(32) unsigned char shared_memory[];
  float* const whole = reinterpret_cast<float*>(shared_memory + 0);
  float* const ends = reinterpret_cast<float*>(shared_memory + 52000);
  const int b = blockIdx.x;
  for (int i = threadIdx.x; i < 13000; i += 512) {
    whole[i] = x[b * 13000 + i];
  }
  if (threadIdx.x < 2) {
    const int e = threadIdx.x;
    ends[e] = x[b * 13000 + e * 12999];
  }
  __syncthreads();
  for (int j = threadIdx.x; j < 13000; j += 512) {
    output[b * 13000 + j] = whole[12999 - j] + ends[0] * ends[1];
  }
  __syncthreads();
}
