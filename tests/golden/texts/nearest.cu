// nearest(points: 16.(f32, f32), queries: 16.(f32, f32)) -> 16.(f32, i64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) nearest(
    const float* __restrict__ points_1st,
    const float* __restrict__ points_2nd,
    const float* __restrict__ queries_1st,
    const float* __restrict__ queries_2nd,
    float* __restrict__ output_1st,
    long long* __restrict__ output_2nd
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
  const int i_block = blockIdx.x;
  const int points_1st_i_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  long long a_of_thread_3rd;
  a_of_thread_1st = false;
  a_of_thread_2nd = __int_as_float(0x7f800000);
  a_of_thread_3rd = -1LL;
  const bool b_1st = points_1st_i_thread < 16;
  float chosen_from_dx;
  if (points_1st_i_thread < 16) {
    const float dx = points_1st[points_1st_i_thread] - queries_1st[i_block];
    const float dy = points_2nd[points_1st_i_thread] - queries_2nd[i_block];
    chosen_from_dx = dx * dx + dy * dy;
  } else {
    chosen_from_dx = __int_as_float(0x7f800000);
  }
  long long chosen;
  if (points_1st_i_thread < 16) {
    const float dx = points_1st[points_1st_i_thread] - queries_1st[i_block];
    const float dy = points_2nd[points_1st_i_thread] - queries_2nd[i_block];
    chosen = (long long)points_1st_i_thread;
  } else {
    chosen = -1LL;
  }
  const bool this_a_of_thread_1st = a_of_thread_1st;
  const bool chosen_from_dx_is_less = chosen_from_dx < a_of_thread_2nd;
  a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
  a_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? (chosen_from_dx_is_less ? chosen_from_dx : a_of_thread_2nd) : a_of_thread_2nd) : chosen_from_dx;
  a_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? (chosen_from_dx_is_less ? chosen : a_of_thread_3rd) : a_of_thread_3rd) : chosen;
  a_by_thread256_1st[points_1st_i_thread] = a_of_thread_1st;
  a_by_thread256_2nd[points_1st_i_thread] = a_of_thread_2nd;
  a_by_thread256_3rd[points_1st_i_thread] = a_of_thread_3rd;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    const bool a_by_thread256_2nd_is_less = a_by_thread256_2nd[thread * 2 + 1] < a_by_thread256_2nd[thread * 2];
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_less ? a_by_thread256_2nd[thread * 2 + 1] : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2 + 1];
    a_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_less ? a_by_thread256_3rd[thread * 2 + 1] : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    const bool a_by_thread128_2nd_is_less = a_by_thread128_2nd[thread * 2 + 1] < a_by_thread128_2nd[thread * 2];
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_less ? a_by_thread128_2nd[thread * 2 + 1] : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2 + 1];
    a_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_less ? a_by_thread128_3rd[thread * 2 + 1] : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    const bool a_by_thread64_2nd_is_less = a_by_thread64_2nd[thread * 2 + 1] < a_by_thread64_2nd[thread * 2];
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_less ? a_by_thread64_2nd[thread * 2 + 1] : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_less ? a_by_thread64_3rd[thread * 2 + 1] : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    const bool a_by_thread32_2nd_is_less = a_by_thread32_2nd[thread * 2 + 1] < a_by_thread32_2nd[thread * 2];
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_less ? a_by_thread32_2nd[thread * 2 + 1] : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_less ? a_by_thread32_3rd[thread * 2 + 1] : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    const bool a_by_thread16_2nd_is_less = a_by_thread16_2nd[thread * 2 + 1] < a_by_thread16_2nd[thread * 2];
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_less ? a_by_thread16_2nd[thread * 2 + 1] : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_less ? a_by_thread16_3rd[thread * 2 + 1] : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    const bool a_by_thread8_2nd_is_less = a_by_thread8_2nd[thread * 2 + 1] < a_by_thread8_2nd[thread * 2];
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_less ? a_by_thread8_2nd[thread * 2 + 1] : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_less ? a_by_thread8_3rd[thread * 2 + 1] : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
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
    output_1st[i_block] = a_of_block_1st ? (a_of_block_2nd_is_less ? a_of_block_2nd : __int_as_float(0x7f800000)) : __int_as_float(0x7f800000);
    output_2nd[i_block] = a_of_block_1st ? (a_of_block_2nd_is_less ? a_of_block_3rd : -1LL) : -1LL;
  }
}
