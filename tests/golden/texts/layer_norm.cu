// layer_norm(scale: N.f32, shift: N.f32, batch: B.N.f32) -> B.N.f32 for all N, B
// for sm_80

__device__ __forceinline__ int add_i32(int a, int b) { return (int)((unsigned)a + (unsigned)b); }

extern "C" __global__ void __launch_bounds__(256) layer_norm(int* __restrict__ counts_by_block, const int N) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int counts_by_warp[8];
  const int block = blockIdx.x;
  int count_by_warp1;
  int count_by_warp2;
  int count_by_warp4;
  const int warp = threadIdx.x / 32;
  int count_by_lane1;
  int count_by_lane2;
  int count_by_lane4;
  int count_by_lane8;
  int count_by_lane16;
  int count_by_lane32;
  count_by_lane32 = 0;
  for (int k = 0; k < 8; k++) {
    count_by_lane32 = add_i32(count_by_lane32, block * 2048 + warp * 32 + lane + k * 256 < N ? 1 : 0);
  }
  const int other_count_by_lane32 = __shfl_sync(0xffffffff, count_by_lane32, lane + 16);
  if (lane < 16) {
    count_by_lane16 = add_i32(count_by_lane32, other_count_by_lane32);
  }
  const int other_count_by_lane16 = __shfl_sync(0xffffffff, count_by_lane16, lane + 8);
  if (lane < 8) {
    count_by_lane8 = add_i32(count_by_lane16, other_count_by_lane16);
  }
  const int other_count_by_lane8 = __shfl_sync(0xffffffff, count_by_lane8, lane + 4);
  if (lane < 4) {
    count_by_lane4 = add_i32(count_by_lane8, other_count_by_lane8);
  }
  const int other_count_by_lane4 = __shfl_sync(0xffffffff, count_by_lane4, lane + 2);
  if (lane < 2) {
    count_by_lane2 = add_i32(count_by_lane4, other_count_by_lane4);
  }
  const int other0_count_by_lane2 = __shfl_sync(0xffffffff, count_by_lane2, 0);
  const int other1_count_by_lane2 = __shfl_sync(0xffffffff, count_by_lane2, 1);
  count_by_lane1 = add_i32(other0_count_by_lane2, other1_count_by_lane2);
  int count_of_warp;
  count_of_warp = 0;
  count_of_warp = add_i32(count_of_warp, count_by_lane1);
  if (lane < 1) {
    counts_by_warp[warp] = count_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    count_by_warp4 = add_i32(counts_by_warp[lane], counts_by_warp[lane + 4]);
  }
  const int other_count_by_warp4 = __shfl_sync(0xffffffff, count_by_warp4, lane + 2);
  if (lane < 2) {
    count_by_warp2 = add_i32(count_by_warp4, other_count_by_warp4);
  }
  const int other0_count_by_warp2 = __shfl_sync(0xffffffff, count_by_warp2, 0);
  const int other1_count_by_warp2 = __shfl_sync(0xffffffff, count_by_warp2, 1);
  count_by_warp1 = add_i32(other0_count_by_warp2, other1_count_by_warp2);
  int count_of_block;
  count_of_block = 0;
  count_of_block = add_i32(count_of_block, count_by_warp1);
  if (threadIdx.x < 1) {
    counts_by_block[block] = count_of_block;
  }
}

extern "C" __global__ void __launch_bounds__(256) layer_norm_1(
    const int* __restrict__ counts_by_block,
    int* __restrict__ sum,
    const int N
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) int sums[8];
  int sum_by_warp1;
  int sum_by_warp2;
  int sum_by_warp4;
  const int warp = threadIdx.x / 32;
  int sum_by_lane1;
  int sum_by_lane2;
  int sum_by_lane4;
  int sum_by_lane8;
  int sum_by_lane16;
  int sum_by_lane32;
  sum_by_lane32 = 0;
  for (int j = 0; j < (N + 524287) / 524288; j++) {
    const int at_j = warp * 32 + lane + j * 256;
    sum_by_lane32 = add_i32(sum_by_lane32, at_j < (N + 2047) / 2048 ? counts_by_block[at_j] : 0);
  }
  const int other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = add_i32(sum_by_lane32, other_sum_by_lane32);
  }
  const int other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = add_i32(sum_by_lane16, other_sum_by_lane16);
  }
  const int other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = add_i32(sum_by_lane8, other_sum_by_lane8);
  }
  const int other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = add_i32(sum_by_lane4, other_sum_by_lane4);
  }
  const int other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const int other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = add_i32(other0_sum_by_lane2, other1_sum_by_lane2);
  int sum_of_warp;
  sum_of_warp = 0;
  sum_of_warp = add_i32(sum_of_warp, sum_by_lane1);
  if (lane < 1) {
    sums[warp] = sum_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = add_i32(sums[lane], sums[lane + 4]);
  }
  const int other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = add_i32(sum_by_warp4, other_sum_by_warp4);
  }
  const int other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const int other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = add_i32(other0_sum_by_warp2, other1_sum_by_warp2);
  if (threadIdx.x < 1) {
    sum[0] = 0;
    sum[0] = add_i32(sum[0], sum_by_warp1);
  }
}

extern "C" __global__ void __launch_bounds__(256) layer_norm_2(
    const float* __restrict__ scale,
    const float* __restrict__ shift,
    const float* __restrict__ batch,
    const int* __restrict__ sum,
    float* __restrict__ output,
    const int N
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums_for_middle[8];
  __shared__ __align__(16) float sums_for_deviation[8];
  const float sum_1 = (float)sum[0];
  const int b_block = blockIdx.x;
  float sum_for_middle_by_warp1;
  float sum_for_middle_by_warp2;
  float sum_for_middle_by_warp4;
  float sum_for_middle_by_lane1;
  float sum_for_middle_by_lane2;
  float sum_for_middle_by_lane4;
  float sum_for_middle_by_lane8;
  float sum_for_middle_by_lane16;
  float sum_for_middle_by_lane32;
  sum_for_middle_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    sum_for_middle_by_lane32 = sum_for_middle_by_lane32 + (warp * 32 + lane + n_strip * 256 < N ? batch[b_block * N + warp * 32 + lane + n_strip * 256] : 0.0f);
  }
  const float other_sum_for_middle_by_lane32 = __shfl_sync(0xffffffff, sum_for_middle_by_lane32, lane + 16);
  if (lane < 16) {
    sum_for_middle_by_lane16 = sum_for_middle_by_lane32 + other_sum_for_middle_by_lane32;
  }
  const float other_sum_for_middle_by_lane16 = __shfl_sync(0xffffffff, sum_for_middle_by_lane16, lane + 8);
  if (lane < 8) {
    sum_for_middle_by_lane8 = sum_for_middle_by_lane16 + other_sum_for_middle_by_lane16;
  }
  const float other_sum_for_middle_by_lane8 = __shfl_sync(0xffffffff, sum_for_middle_by_lane8, lane + 4);
  if (lane < 4) {
    sum_for_middle_by_lane4 = sum_for_middle_by_lane8 + other_sum_for_middle_by_lane8;
  }
  const float other_sum_for_middle_by_lane4 = __shfl_sync(0xffffffff, sum_for_middle_by_lane4, lane + 2);
  if (lane < 2) {
    sum_for_middle_by_lane2 = sum_for_middle_by_lane4 + other_sum_for_middle_by_lane4;
  }
  const float other0_sum_for_middle_by_lane2 = __shfl_sync(0xffffffff, sum_for_middle_by_lane2, 0);
  const float other1_sum_for_middle_by_lane2 = __shfl_sync(0xffffffff, sum_for_middle_by_lane2, 1);
  sum_for_middle_by_lane1 = other0_sum_for_middle_by_lane2 + other1_sum_for_middle_by_lane2;
  float sum_for_middle_of_warp;
  sum_for_middle_of_warp = 0.0f;
  sum_for_middle_of_warp = sum_for_middle_of_warp + sum_for_middle_by_lane1;
  if (lane < 1) {
    sums_for_middle[warp] = sum_for_middle_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    sum_for_middle_by_warp4 = sums_for_middle[lane] + sums_for_middle[lane + 4];
  }
  const float other_sum_for_middle_by_warp4 = __shfl_sync(0xffffffff, sum_for_middle_by_warp4, lane + 2);
  if (lane < 2) {
    sum_for_middle_by_warp2 = sum_for_middle_by_warp4 + other_sum_for_middle_by_warp4;
  }
  const float other0_sum_for_middle_by_warp2 = __shfl_sync(0xffffffff, sum_for_middle_by_warp2, 0);
  const float other1_sum_for_middle_by_warp2 = __shfl_sync(0xffffffff, sum_for_middle_by_warp2, 1);
  sum_for_middle_by_warp1 = other0_sum_for_middle_by_warp2 + other1_sum_for_middle_by_warp2;
  float sum_for_middle_of_block;
  sum_for_middle_of_block = 0.0f;
  sum_for_middle_of_block = sum_for_middle_of_block + sum_for_middle_by_warp1;
  const float middle = sum_for_middle_of_block / sum_1;
  float sum_for_deviation_by_warp1;
  float sum_for_deviation_by_warp2;
  float sum_for_deviation_by_warp4;
  float sum_for_deviation_by_lane1;
  float sum_for_deviation_by_lane2;
  float sum_for_deviation_by_lane4;
  float sum_for_deviation_by_lane8;
  float sum_for_deviation_by_lane16;
  float sum_for_deviation_by_lane32;
  sum_for_deviation_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    float chosen;
    if (warp * 32 + lane + n_strip * 256 < N) {
      const float centred = batch[b_block * N + warp * 32 + lane + n_strip * 256] - middle;
      chosen = centred * centred;
    } else {
      chosen = 0.0f;
    }
    sum_for_deviation_by_lane32 = sum_for_deviation_by_lane32 + chosen;
  }
  const float other_sum_for_deviation_by_lane32 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane32, lane + 16);
  if (lane < 16) {
    sum_for_deviation_by_lane16 = sum_for_deviation_by_lane32 + other_sum_for_deviation_by_lane32;
  }
  const float other_sum_for_deviation_by_lane16 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane16, lane + 8);
  if (lane < 8) {
    sum_for_deviation_by_lane8 = sum_for_deviation_by_lane16 + other_sum_for_deviation_by_lane16;
  }
  const float other_sum_for_deviation_by_lane8 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane8, lane + 4);
  if (lane < 4) {
    sum_for_deviation_by_lane4 = sum_for_deviation_by_lane8 + other_sum_for_deviation_by_lane8;
  }
  const float other_sum_for_deviation_by_lane4 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane4, lane + 2);
  if (lane < 2) {
    sum_for_deviation_by_lane2 = sum_for_deviation_by_lane4 + other_sum_for_deviation_by_lane4;
  }
  const float other0_sum_for_deviation_by_lane2 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane2, 0);
  const float other1_sum_for_deviation_by_lane2 = __shfl_sync(0xffffffff, sum_for_deviation_by_lane2, 1);
  sum_for_deviation_by_lane1 = other0_sum_for_deviation_by_lane2 + other1_sum_for_deviation_by_lane2;
  float sum_for_deviation_of_warp;
  sum_for_deviation_of_warp = 0.0f;
  sum_for_deviation_of_warp = sum_for_deviation_of_warp + sum_for_deviation_by_lane1;
  if (lane < 1) {
    sums_for_deviation[warp] = sum_for_deviation_of_warp;
  }
  __syncthreads();
  if (lane < 4) {
    sum_for_deviation_by_warp4 = sums_for_deviation[lane] + sums_for_deviation[lane + 4];
  }
  const float other_sum_for_deviation_by_warp4 = __shfl_sync(0xffffffff, sum_for_deviation_by_warp4, lane + 2);
  if (lane < 2) {
    sum_for_deviation_by_warp2 = sum_for_deviation_by_warp4 + other_sum_for_deviation_by_warp4;
  }
  const float other0_sum_for_deviation_by_warp2 = __shfl_sync(0xffffffff, sum_for_deviation_by_warp2, 0);
  const float other1_sum_for_deviation_by_warp2 = __shfl_sync(0xffffffff, sum_for_deviation_by_warp2, 1);
  sum_for_deviation_by_warp1 = other0_sum_for_deviation_by_warp2 + other1_sum_for_deviation_by_warp2;
  float sum_for_deviation_of_block;
  sum_for_deviation_of_block = 0.0f;
  sum_for_deviation_of_block = sum_for_deviation_of_block + sum_for_deviation_by_warp1;
  const float deviation = sqrtf(sum_for_deviation_of_block / sum_1 + 1e-05f);
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    output[b_block * N + n_thread] = scale[n_thread] * ((batch[b_block * N + n_thread] - middle) / deviation) + shift[n_thread];
  }
}
