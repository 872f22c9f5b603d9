// find(word: K.u8, text: (K + N).u8) -> (N + 1).bool for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) find(
    const unsigned char* __restrict__ word,
    const unsigned char* __restrict__ text,
    bool* __restrict__ output,
    const int K
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) bool all_by_warp8[8];
  const int n_block = blockIdx.x;
  bool all_by_warp1;
  bool all_by_warp2;
  bool all_by_warp4;
  const int k_warp = threadIdx.x / 32;
  bool all_by_lane1;
  bool all_by_lane2;
  bool all_by_lane4;
  bool all_by_lane8;
  bool all_by_lane16;
  bool all_by_lane32;
  all_by_lane32 = true;
  for (int k_strip = 0; k_strip < (K + 255) / 256; k_strip++) {
    const int at_k = k_warp * 32 + lane + k_strip * 256;
    all_by_lane32 = all_by_lane32 && (at_k < K ? word[at_k] == text[k_warp * 32 + n_block + lane + k_strip * 256] : true);
  }
  const bool other_all_by_lane32 = (bool)__shfl_sync(0xffffffff, all_by_lane32, lane + 16);
  if (lane < 16) {
    all_by_lane16 = all_by_lane32 && other_all_by_lane32;
  }
  const bool other_all_by_lane16 = (bool)__shfl_sync(0xffffffff, all_by_lane16, lane + 8);
  if (lane < 8) {
    all_by_lane8 = all_by_lane16 && other_all_by_lane16;
  }
  const bool other_all_by_lane8 = (bool)__shfl_sync(0xffffffff, all_by_lane8, lane + 4);
  if (lane < 4) {
    all_by_lane4 = all_by_lane8 && other_all_by_lane8;
  }
  const bool other_all_by_lane4 = (bool)__shfl_sync(0xffffffff, all_by_lane4, lane + 2);
  if (lane < 2) {
    all_by_lane2 = all_by_lane4 && other_all_by_lane4;
  }
  const bool other0_all_by_lane2 = (bool)__shfl_sync(0xffffffff, all_by_lane2, 0);
  const bool other1_all_by_lane2 = (bool)__shfl_sync(0xffffffff, all_by_lane2, 1);
  all_by_lane1 = other0_all_by_lane2 && other1_all_by_lane2;
  if (lane < 1) {
    all_by_warp8[k_warp] = all_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    all_by_warp4 = all_by_warp8[lane] && all_by_warp8[lane + 4];
  }
  const bool other_all_by_warp4 = (bool)__shfl_sync(0xffffffff, all_by_warp4, lane + 2);
  if (lane < 2) {
    all_by_warp2 = all_by_warp4 && other_all_by_warp4;
  }
  const bool other0_all_by_warp2 = (bool)__shfl_sync(0xffffffff, all_by_warp2, 0);
  const bool other1_all_by_warp2 = (bool)__shfl_sync(0xffffffff, all_by_warp2, 1);
  all_by_warp1 = other0_all_by_warp2 && other1_all_by_warp2;
  if (threadIdx.x < 1) {
    output[n_block] = all_by_warp1;
  }
}
