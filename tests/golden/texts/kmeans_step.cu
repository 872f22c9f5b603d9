// kmeans_step(centres: 4.3.f32, points: 16.3.f32) -> 4.3.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) kmeans_step(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    float* __restrict__ rows_by_thread
) {
  const int points_row = blockIdx.y * 8 + threadIdx.y;
  if (blockIdx.x * 32 + threadIdx.x < 4) {
    const int centres_row = blockIdx.x * 32 + threadIdx.x;
    float rows_of_thread;
    rows_of_thread = 0.0f;
    for (int centres_column = 0; centres_column < 3; centres_column++) {
      const float d = points[points_row * 3 + centres_column] - centres[centres_row * 3 + centres_column];
      rows_of_thread = rows_of_thread + d * d;
    }
    rows_by_thread[points_row * 4 + centres_row] = rows_of_thread;
  }
}

extern "C" __global__ void __launch_bounds__(256) kmeans_step_1(
    long long* __restrict__ labels,
    const float* __restrict__ rows_by_thread
) {
  __shared__ __align__(16) bool a_by_thread128_1st[128];
  __shared__ __align__(16) float a_by_thread128_2nd[128];
  __shared__ __align__(16) long long a_by_thread128_3rd[128];
  __shared__ __align__(16) bool a_by_thread256_1st[256];
  __shared__ __align__(16) float a_by_thread256_2nd[256];
  __shared__ __align__(16) unsigned char a_by_thread256_3rd_bytes[2048];
  long long* const a_by_thread256_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 0);
  long long* const a_by_thread64_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 0);
  long long* const a_by_thread32_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 512);
  float* const a_by_thread64_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 768);
  long long* const a_by_thread16_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 1024);
  float* const a_by_thread32_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 1152);
  long long* const a_by_thread8_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 1280);
  float* const a_by_thread16_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 1344);
  bool* const a_by_thread64_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1408);
  long long* const a_by_thread4_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 1472);
  float* const a_by_thread8_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 1504);
  bool* const a_by_thread32_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1536);
  long long* const a_by_thread2_3rd = reinterpret_cast<long long*>(a_by_thread256_3rd_bytes + 1568);
  float* const a_by_thread4_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 1584);
  bool* const a_by_thread16_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1600);
  float* const a_by_thread2_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 1616);
  bool* const a_by_thread8_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1632);
  bool* const a_by_thread4_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1648);
  bool* const a_by_thread2_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 1664);
  const int block = blockIdx.x;
  const int thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  long long a_of_thread_3rd;
  a_of_thread_1st = false;
  a_of_thread_2nd = __int_as_float(0x7f800000);
  a_of_thread_3rd = -1LL;
  const bool b_1st = thread < 4;
  const float padded_rows = thread < 4 ? rows_by_thread[block * 4 + thread] : __int_as_float(0x7f800000);
  const long long b_3rd = thread < 4 ? (long long)thread : -1LL;
  const bool this_a_of_thread_1st = a_of_thread_1st;
  const bool padded_rows_is_less = padded_rows < a_of_thread_2nd;
  a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
  a_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? (padded_rows_is_less ? padded_rows : a_of_thread_2nd) : a_of_thread_2nd) : padded_rows;
  a_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? (padded_rows_is_less ? b_3rd : a_of_thread_3rd) : a_of_thread_3rd) : b_3rd;
  a_by_thread256_1st[thread] = a_of_thread_1st;
  a_by_thread256_2nd[thread] = a_of_thread_2nd;
  a_by_thread256_3rd[thread] = a_of_thread_3rd;
  __syncthreads();
  if (threadIdx.x < 128) {
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    const bool a_by_thread256_2nd_is_less = a_by_thread256_2nd[thread * 2 + 1] < a_by_thread256_2nd[thread * 2];
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_less ? a_by_thread256_2nd[thread * 2 + 1] : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2 + 1];
    a_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_less ? a_by_thread256_3rd[thread * 2 + 1] : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    const bool a_by_thread128_2nd_is_less = a_by_thread128_2nd[thread * 2 + 1] < a_by_thread128_2nd[thread * 2];
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_less ? a_by_thread128_2nd[thread * 2 + 1] : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2 + 1];
    a_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_less ? a_by_thread128_3rd[thread * 2 + 1] : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    const bool a_by_thread64_2nd_is_less = a_by_thread64_2nd[thread * 2 + 1] < a_by_thread64_2nd[thread * 2];
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_less ? a_by_thread64_2nd[thread * 2 + 1] : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_less ? a_by_thread64_3rd[thread * 2 + 1] : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    const bool a_by_thread32_2nd_is_less = a_by_thread32_2nd[thread * 2 + 1] < a_by_thread32_2nd[thread * 2];
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_less ? a_by_thread32_2nd[thread * 2 + 1] : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_less ? a_by_thread32_3rd[thread * 2 + 1] : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    const bool a_by_thread16_2nd_is_less = a_by_thread16_2nd[thread * 2 + 1] < a_by_thread16_2nd[thread * 2];
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_less ? a_by_thread16_2nd[thread * 2 + 1] : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_less ? a_by_thread16_3rd[thread * 2 + 1] : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    const bool a_by_thread8_2nd_is_less = a_by_thread8_2nd[thread * 2 + 1] < a_by_thread8_2nd[thread * 2];
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_less ? a_by_thread8_2nd[thread * 2 + 1] : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_less ? a_by_thread8_3rd[thread * 2 + 1] : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    const bool a_by_thread4_2nd_is_less = a_by_thread4_2nd[thread * 2 + 1] < a_by_thread4_2nd[thread * 2];
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_less ? a_by_thread4_2nd[thread * 2 + 1] : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2 + 1];
    a_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_less ? a_by_thread4_3rd[thread * 2 + 1] : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2 + 1];
  }
  bool a_of_block_1st;
  float a_of_block_2nd;
  long long a_of_block_3rd;
  a_of_block_1st = false;
  a_of_block_2nd = __int_as_float(0x7f800000);
  a_of_block_3rd = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_of_block_1st = a_of_block_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    const bool a_by_thread2_2nd_is_less = a_by_thread2_2nd[i_b] < a_of_block_2nd;
    a_of_block_1st = this_a_of_block_1st ? (this_a_by_thread2_1st ? true : a_of_block_1st) : a_by_thread2_1st[i_b];
    a_of_block_2nd = this_a_of_block_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_less ? a_by_thread2_2nd[i_b] : a_of_block_2nd) : a_of_block_2nd) : a_by_thread2_2nd[i_b];
    a_of_block_3rd = this_a_of_block_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_less ? a_by_thread2_3rd[i_b] : a_of_block_3rd) : a_of_block_3rd) : a_by_thread2_3rd[i_b];
  }
  const bool a_of_block_2nd_is_less = a_of_block_2nd < __int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    labels[block] = a_of_block_1st ? (a_of_block_2nd_is_less ? a_of_block_3rd : -1LL) : -1LL;
  }
}

extern "C" __global__ void __launch_bounds__(256) kmeans_step_2(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    const long long* __restrict__ labels,
    float* __restrict__ output
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float count_by_warp8[8];
  const int row_block = blockIdx.x;
  float count_by_warp1;
  float count_by_warp2;
  float count_by_warp4;
  const int warp = threadIdx.x / 32;
  float count_by_lane1;
  float count_by_lane2;
  float count_by_lane4;
  float count_by_lane8;
  float count_by_lane16;
  float count_by_lane32;
  count_by_lane32 = 0.0f;
  count_by_lane32 = count_by_lane32 + (warp * 32 + lane < 16 ? (labels[warp * 32 + lane] == (long long)row_block ? 1.0f : 0.0f) : 0.0f);
  const float other_count_by_lane32 = __shfl_sync(0xffffffff, count_by_lane32, lane + 16);
  if (lane < 16) {
    count_by_lane16 = count_by_lane32 + other_count_by_lane32;
  }
  const float other_count_by_lane16 = __shfl_sync(0xffffffff, count_by_lane16, lane + 8);
  if (lane < 8) {
    count_by_lane8 = count_by_lane16 + other_count_by_lane16;
  }
  const float other_count_by_lane8 = __shfl_sync(0xffffffff, count_by_lane8, lane + 4);
  if (lane < 4) {
    count_by_lane4 = count_by_lane8 + other_count_by_lane8;
  }
  const float other_count_by_lane4 = __shfl_sync(0xffffffff, count_by_lane4, lane + 2);
  if (lane < 2) {
    count_by_lane2 = count_by_lane4 + other_count_by_lane4;
  }
  const float other0_count_by_lane2 = __shfl_sync(0xffffffff, count_by_lane2, 0);
  const float other1_count_by_lane2 = __shfl_sync(0xffffffff, count_by_lane2, 1);
  count_by_lane1 = other0_count_by_lane2 + other1_count_by_lane2;
  if (lane < 1) {
    count_by_warp8[warp] = count_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    count_by_warp4 = count_by_warp8[lane] + count_by_warp8[lane + 4];
  }
  const float other_count_by_warp4 = __shfl_sync(0xffffffff, count_by_warp4, lane + 2);
  if (lane < 2) {
    count_by_warp2 = count_by_warp4 + other_count_by_warp4;
  }
  const float other0_count_by_warp2 = __shfl_sync(0xffffffff, count_by_warp2, 0);
  const float other1_count_by_warp2 = __shfl_sync(0xffffffff, count_by_warp2, 1);
  count_by_warp1 = other0_count_by_warp2 + other1_count_by_warp2;
  if (threadIdx.x < 3) {
    const int column_thread = threadIdx.x;
    const bool this_count_by_warp1_is_positive = count_by_warp1 > 0.0f;
    float chosen;
    if (this_count_by_warp1_is_positive) {
      float acc;
      acc = 0.0f;
      for (int points_row = 0; points_row < 16; points_row++) {
        acc = acc + (labels[points_row] == (long long)row_block ? points[column_thread + points_row * 3] : 0.0f);
      }
      chosen = acc / count_by_warp1;
    } else {
      chosen = centres[row_block * 3 + column_thread];
    }
    output[row_block * 3 + column_thread] = chosen;
  }
}
