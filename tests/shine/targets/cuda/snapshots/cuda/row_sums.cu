// rowSums(x: n.m.f32) -> n.f32 for all n, m
// for sm_80
extern "C" __global__ void __launch_bounds__(128) rowSums(
    const float* __restrict__ x,
    float* __restrict__ output,
    const int m
) {
  const int lane = threadIdx.x % 32;
  const int b = blockIdx.x;
  const int w = threadIdx.x / 32;
  float acc;
  acc = 0.0f;
  for (int i = lane; i < m; i += 32) {
    acc = acc + x[(b * 4 + w) * m + i];
  }
  const float other16 = __shfl_sync(0xffffffff, acc, (lane + 16) % 32);
  acc = acc + other16;
  const float other8 = __shfl_sync(0xffffffff, acc, (lane + 8) % 32);
  acc = acc + other8;
  const float other4 = __shfl_sync(0xffffffff, acc, (lane + 4) % 32);
  acc = acc + other4;
  const float other2 = __shfl_sync(0xffffffff, acc, (lane + 2) % 32);
  acc = acc + other2;
  const float other1 = __shfl_sync(0xffffffff, acc, (lane + 1) % 32);
  acc = acc + other1;
  if (lane < 1) {
    const int last = lane;
    output[b * 4 + w] = acc;
  }
}
