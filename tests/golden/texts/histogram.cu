// histogram(bins: 20.i32, xs: 100.i32) -> 20.i32
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) histogram(
    const int* __restrict__ bins,
    const int* __restrict__ xs,
    int* __restrict__ output
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int stored[8];
  const int i_block = blockIdx.x;
  const int bin = bins[i_block];
  int stored_1;
  int stored_2;
  int stored_3;
  const int xs_i_warp = threadIdx.x / 32;
  int stored_4;
  int stored_5;
  int stored_6;
  int stored_7;
  int stored_8;
  int stored_9;
  int x;
  x = 0;
  const int x_1 = add_i32(x, xs_i_warp * 32 + lane < 100 ? (xs[xs_i_warp * 32 + lane] == bin ? 1 : 0) : 0);
  x = x_1;
  stored_9 = x;
  const int stored_of_lane = __shfl_sync(0xffffffff, stored_9, lane + 16);
  if (lane < 16) {
    stored_8 = add_i32(stored_9, stored_of_lane);
  }
  const int stored_of_lane_1 = __shfl_sync(0xffffffff, stored_8, lane + 8);
  if (lane < 8) {
    stored_7 = add_i32(stored_8, stored_of_lane_1);
  }
  const int stored_of_lane_2 = __shfl_sync(0xffffffff, stored_7, lane + 4);
  if (lane < 4) {
    stored_6 = add_i32(stored_7, stored_of_lane_2);
  }
  const int stored_of_lane_3 = __shfl_sync(0xffffffff, stored_6, lane + 2);
  if (lane < 2) {
    stored_5 = add_i32(stored_6, stored_of_lane_3);
  }
  const int stored_of_lane_4 = __shfl_sync(0xffffffff, stored_5, 0);
  const int stored_of_lane_5 = __shfl_sync(0xffffffff, stored_5, 1);
  stored_4 = add_i32(stored_of_lane_4, stored_of_lane_5);
  int x_2;
  x_2 = 0;
  x_2 = add_i32(x_2, stored_4);
  if (lane < 1) {
    stored[xs_i_warp] = x_2;
  }
  __syncthreads();
  if (lane < 4) {
    const int xs_i_lane = lane;
    stored_3 = add_i32(stored[xs_i_lane], stored[xs_i_lane + 4]);
  }
  const int stored_of_lane_6 = __shfl_sync(0xffffffff, stored_3, lane + 2);
  if (lane < 2) {
    stored_2 = add_i32(stored_3, stored_of_lane_6);
  }
  const int stored_of_lane_7 = __shfl_sync(0xffffffff, stored_2, 0);
  const int stored_of_lane_8 = __shfl_sync(0xffffffff, stored_2, 1);
  stored_1 = add_i32(stored_of_lane_7, stored_of_lane_8);
  int x_3;
  x_3 = 0;
  x_3 = add_i32(x_3, stored_1);
  if (threadIdx.x < 1) {
    output[i_block] = x_3;
  }
}
