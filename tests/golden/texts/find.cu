// find(word: K.u8, text: (K + N).u8) -> (N + 1).bool for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) find(
    const unsigned char* __restrict__ word,
    const unsigned char* __restrict__ text,
    bool* __restrict__ output,
    const int K
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) bool stored[8];
  const int n_block = blockIdx.x;
  bool stored_1;
  bool stored_2;
  bool stored_3;
  const int k_warp = threadIdx.x / 32;
  bool stored_4;
  bool stored_5;
  bool stored_6;
  bool stored_7;
  bool stored_8;
  bool stored_9;
  bool x;
  x = true;
  for (int k_step = 0; k_step < (K + 255) / 256; k_step++) {
    x = x && (k_step * 256 + k_warp * 32 + lane < K ? word[k_step * 256 + k_warp * 32 + lane] == text[k_step * 256 + k_warp * 32 + n_block + lane] : true);
  }
  stored_9 = x;
  const bool stored_of_lane = (bool)__shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 && stored_of_lane;
  }
  const bool stored_of_lane_1 = (bool)__shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 && stored_of_lane_1;
  }
  const bool stored_of_lane_2 = (bool)__shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 && stored_of_lane_2;
  }
  const bool stored_of_lane_3 = (bool)__shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 && stored_of_lane_3;
  }
  const bool stored_of_lane_4 = (bool)__shfl_sync(0xffffffff, stored_5, 0);
  const bool stored_of_lane_5 = (bool)__shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_of_lane_4 && stored_of_lane_5;
  bool x_1;
  x_1 = true;
  x_1 = x_1 && stored_4;
  if (lane < 1) {
    stored[k_warp] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int k_lane = lane;
    stored_3 = stored[k_lane] && stored[k_lane + 4];
  }
  const bool stored_of_lane_6 = (bool)__shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = stored_3 && stored_of_lane_6;
  }
  const bool stored_of_lane_7 = (bool)__shfl_sync(0xffffffff, stored_2, 0);
  const bool stored_of_lane_8 = (bool)__shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = stored_of_lane_7 && stored_of_lane_8;
  bool x_2;
  x_2 = true;
  x_2 = x_2 && stored_1;
  if (threadIdx.x < 1) {
    output[n_block] = x_2;
  }
}
