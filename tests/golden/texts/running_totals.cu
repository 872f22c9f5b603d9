// running_totals(rows: 9.17.f32) -> 9.17.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) running_totals(
    const float* __restrict__ rows,
    float* __restrict__ output
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[256];
  __shared__ __align__(16) float parts_by_thread[256];
  const int row_block = blockIdx.x;
  const int column_thread = threadIdx.x;
  float parts_of_thread;
  parts_of_thread = 0.0f;
  parts_of_thread = parts_of_thread + (column_thread < 17 ? rows[row_block * 17 + column_thread] : 0.0f);
  parts_by_thread[column_thread] = parts_of_thread;
  float sum_by_lane;
  float ys_over16;
  float ys_over8;
  float ys_over4;
  float ys_over2;
  float ys_over1;
  float ys_over1_from_parts_by_thread;
  ys_over1_from_parts_by_thread = 0.0f;
  __syncthreads();
  for (int column = 0; column < 8; column++) {
    ys_over1_from_parts_by_thread = ys_over1_from_parts_by_thread + parts_by_thread[lane * 8 + column];
  }
  ys_over1 = 0.0f + ys_over1_from_parts_by_thread;
  const float other_ys_over1 = __shfl_sync(0xffffffff, ys_over1, lane - 1);
  const float padded_other_ys_over1 = 0 < lane ? other_ys_over1 : 0.0f;
  ys_over2 = padded_other_ys_over1 + ys_over1;
  const float other_ys_over2 = __shfl_sync(0xffffffff, ys_over2, lane - 2);
  const float padded_other_ys_over2 = 1 < lane ? other_ys_over2 : 0.0f;
  ys_over4 = padded_other_ys_over2 + ys_over2;
  const float other_ys_over4 = __shfl_sync(0xffffffff, ys_over4, lane - 4);
  const float padded_other_ys_over4 = 3 < lane ? other_ys_over4 : 0.0f;
  ys_over8 = padded_other_ys_over4 + ys_over4;
  const float other_ys_over8 = __shfl_sync(0xffffffff, ys_over8, lane - 8);
  const float padded_other_ys_over8 = 7 < lane ? other_ys_over8 : 0.0f;
  ys_over16 = padded_other_ys_over8 + ys_over8;
  const float other_ys_over16 = __shfl_sync(0xffffffff, ys_over16, lane - 16);
  const float padded_other_ys_over16 = 15 < lane ? other_ys_over16 : 0.0f;
  sum_by_lane = padded_other_ys_over16 + ys_over16;
  float sum_of_lane;
  const float other_sum_by_lane = __shfl_sync(0xffffffff, sum_by_lane, lane - 1);
  sum_of_lane = 0 < lane ? other_sum_by_lane : 0.0f;
  for (int column = 0; column < 8; column++) {
    sum_of_lane = sum_of_lane + parts_by_thread[lane * 8 + column];
    if (warp < 1) {
      sums[lane * 8 + column] = sum_of_lane;
    }
  }
  float sum_of_thread;
  __syncthreads();
  sum_of_thread = 0 < column_thread ? sums[column_thread - 1] : 0.0f;
  sum_of_thread = sum_of_thread + (column_thread < 17 ? rows[row_block * 17 + column_thread] : 0.0f);
  if (column_thread < 17) {
    output[row_block * 17 + column_thread] = sum_of_thread;
  }
}
