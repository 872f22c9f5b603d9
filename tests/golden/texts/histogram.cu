// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) histogram(
    const int* __restrict__ bins,
    const int* __restrict__ xs,
    int* __restrict__ output
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored_3[8];
  const int i_bin = blockIdx.x;
  const int bin = bins[i_bin];
  int stored;
  int stored_1;
  int stored_2;
  const int i_x = threadIdx.x / 32;
  int stored_4;
  int stored_5;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int x;
  x = 0;
  const int x_1 = add_i32(x, i_x * 32 + lane < 100 ? (xs[i_x * 32 + lane] == bin ? 1 : 0) : 0);
  x = x_1;
  stored_9 = x;
  const int stored_9_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = add_i32(stored_9, stored_9_of_lane);
  }
  const int stored_8_of_lane = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = add_i32(stored_8, stored_8_of_lane);
  }
  const int stored_7_of_lane = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = add_i32(stored_7, stored_7_of_lane);
  }
  const int stored_6_of_lane = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = add_i32(stored_6, stored_6_of_lane);
  }
  const int stored_5_of_lane = __shfl_sync(0xffffffff, stored_5, 0);
  const int stored_5_of_lane_1 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = add_i32(stored_5_of_lane, stored_5_of_lane_1);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_4);
  if (lane < 1) {
    const int once = lane;
    stored_3[i_x] = x_2;
  }
  __syncthreads();
  if (lane < 4) {
    const int i_p_4 = lane;
    stored_2 = add_i32(stored_3[i_p_4], stored_3[i_p_4 + 4]);
  }
  const int stored_2_of_lane = __shfl_sync(0xffffffff, stored_2, lane + 2);
  if (lane < 2) {
    stored_1 = add_i32(stored_2, stored_2_of_lane);
  }
  const int stored_1_of_lane = __shfl_sync(0xffffffff, stored_1, 0);
  const int stored_1_of_lane_1 = __shfl_sync(0xffffffff, stored_1, 1);
  stored = add_i32(stored_1_of_lane, stored_1_of_lane_1);
  int x_3;
  x_3 = 0;
  x_3 = add_i32(x_3, stored);
  if (threadIdx.x < 1) {
    const int once_1 = threadIdx.x;
    output[i_bin] = x_3;
  }
}
