// integral_image(image: M.N.i32) -> M.N.i32 for all M, N
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) integral_image(
    const int* __restrict__ image,
    int* __restrict__ sums,
    const int M,
    const int N
) {
  for (int m = blockIdx.x * 256 + threadIdx.x; m < M; m += gridDim.x * 256) {
    int sum;
    sum = 0;
    for (int n = 0; n < N; n++) {
      sum = add_i32(sum, image[m * N + n]);
      sums[m * N + n] = sum;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) integral_image_1(
    const int* __restrict__ sums,
    int* __restrict__ output,
    const int M,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums_1[256];
  __shared__ __align__(16) int parts_by_thread[256];
  const int n_block = blockIdx.x;
  const int m_thread = threadIdx.x;
  int parts_of_thread;
  parts_of_thread = 0;
  for (int m = 0; m < M / 256 + 1; m++) {
    parts_of_thread = add_i32(parts_of_thread, m_thread * (M / 256) + m_thread + m < M ? sums[(m_thread * (M / 256) + m_thread + m) * N + n_block] : 0);
  }
  parts_by_thread[m_thread] = parts_of_thread;
  int sum_by_lane;
  int ys_over16;
  int ys_over8;
  int ys_over4;
  int ys_over2;
  int ys_over1;
  int ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = 0;
  __syncthreads();
  for (int m_tile = 0; m_tile < 8; m_tile++) {
    ys_over1_from_parts_by_thread = add_i32(ys_over1_from_parts_by_thread, parts_by_thread[lane * 8 + m_tile]);
  }
  ys_over1 = add_i32(0, ys_over1_from_parts_by_thread);
  const int other_ys_over1 = __shfl_sync(0xffffffff, ys_over1, lane - 1);
  const int padded_other_ys_over1 = 0 < lane ? other_ys_over1 : 0;
  ys_over2 = add_i32(padded_other_ys_over1, ys_over1);
  const int other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const int padded_other_ys_over2 = 1 < lane ? other_ys_over2 : 0;
  ys_over4 = add_i32(padded_other_ys_over2, ys_over2);
  const int other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const int padded_other_ys_over4 = 3 < lane ? other_ys_over4 : 0;
  ys_over8 = add_i32(padded_other_ys_over4, ys_over4);
  const int other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const int padded_other_ys_over8 = 7 < lane ? other_ys_over8 : 0;
  ys_over16 = add_i32(padded_other_ys_over8, ys_over8);
  const int other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const int padded_other_ys_over16 = 15 < lane ? other_ys_over16 : 0;
  sum_by_lane = add_i32(padded_other_ys_over16, ys_over16);
  int sum_of_lane;
  const int other_sum_by_lane = __shfl_sync(0xffffffff, sum_by_lane, lane - 1);
  sum_of_lane = 0 < lane ? other_sum_by_lane : 0;
  for (int m_tile = 0; m_tile < 8; m_tile++) {
    sum_of_lane = add_i32(sum_of_lane, parts_by_thread[lane * 8 + m_tile]);
    if (warp < 1) {
      sums_1[lane * 8 + m_tile] = sum_of_lane;
    }
  }
  int sum_of_thread;
  __syncthreads();
  sum_of_thread = 0 < m_thread ? sums_1[m_thread - 1] : 0;
  for (int m = 0; m < M / 256 + 1; m++) {
    const int at_m = m_thread * (M / 256) + m_thread + m;
    const int at_n_m = (m_thread * (M / 256) + m_thread + m) * N + n_block;
    sum_of_thread = add_i32(sum_of_thread, at_m < M ? sums[at_n_m] : 0);
    if (at_m < M) {
      output[at_n_m] = sum_of_thread;
    }
  }
}
