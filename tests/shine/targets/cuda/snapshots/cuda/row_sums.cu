// rowSums(x: n.m.f32) -> n.f32 for all n, m
// for sm_80
extern "C" __global__ void __launch_bounds__(128) rowSums(
    const float* __restrict__ x,
    float* __restrict__ output,
    const int m
) {
  const int lane = threadIdx.x % 32;
  const int i_n_block = blockIdx.x;
  const int i_n_warp = threadIdx.x / 32;
  float acc;
  acc = 0.0f;
  for (int i_m_lane = lane; i_m_lane < m; i_m_lane += 32) {
    acc = acc + x[(i_n_block * 4 + i_n_warp) * m + i_m_lane];
  }
  const float other_acc = __shfl_sync(0xffffffff, acc, (lane + 16) % 32);
  acc = acc + other_acc;
  const float other_acc_1 = __shfl_sync(0xffffffff, acc, (lane + 8) % 32);
  acc = acc + other_acc_1;
  const float other_acc_2 = __shfl_sync(0xffffffff, acc, (lane + 4) % 32);
  acc = acc + other_acc_2;
  const float other_acc_3 = __shfl_sync(0xffffffff, acc, (lane + 2) % 32);
  acc = acc + other_acc_3;
  const float other_acc_4 = __shfl_sync(0xffffffff, acc, (lane + 1) % 32);
  acc = acc + other_acc_4;
  if (lane < 1) {
    output[i_n_block * 4 + i_n_warp] = acc;
  }
}
