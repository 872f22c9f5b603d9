// find(word: K.u8, text: (K + N).u8) -> (N + 1).bool for all K, N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) find(
    const unsigned char* __restrict__ word,
    const unsigned char* __restrict__ text,
    bool* __restrict__ output,
    const int K
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) bool stored_3[8];
  const int i_window = blockIdx.x;
  bool stored;
  bool stored_1;
  bool stored_2;
  const int i_x = threadIdx.x / 32;
  bool stored_4;
  bool stored_5;
  bool stored_6;
  bool stored_7;
  bool stored_8;
  bool stored_9;
  bool x;
  x = true;
  for (int i_x_1 = 0; i_x_1 < (K + 255) / 256; i_x_1++) {
    x = x && (i_x_1 * 256 + i_x * 32 + lane < K ? word[i_x_1 * 256 + i_x * 32 + lane] == text[i_x_1 * 256 + i_x * 32 + i_window + lane] : true);
  }
  stored_9 = x;
  const bool stored_9_of_lane = (bool)__shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = stored_9 && stored_9_of_lane;
  }
  const bool stored_8_of_lane = (bool)__shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = stored_8 && stored_8_of_lane;
  }
  const bool stored_7_of_lane = (bool)__shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = stored_7 && stored_7_of_lane;
  }
  const bool stored_6_of_lane = (bool)__shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = stored_6 && stored_6_of_lane;
  }
  const bool stored_5_of_lane = (bool)__shfl_sync(0xffffffff, stored_5, 0);
  const bool stored_5_of_lane_1 = (bool)__shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = stored_5_of_lane && stored_5_of_lane_1;
  bool x_1;
  x_1 = true;
  x_1 = x_1 && stored_4;
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x] = x_1;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = stored_3[i_p_4] && stored_3[i_p_4 + 4];
  }
  const bool stored_2_of_lane = (bool)__shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = stored_2 && stored_2_of_lane;
  }
  const bool stored_1_of_lane = (bool)__shfl_sync(0xffffffff, stored_1, 0);
  const bool stored_1_of_lane_1 = (bool)__shfl_sync(0xffffffff, stored_1, 1);
  stored = stored_1_of_lane && stored_1_of_lane_1;
  bool x_2;
  x_2 = true;
  x_2 = x_2 && stored;
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[i_window] = x_2;
  }
}
