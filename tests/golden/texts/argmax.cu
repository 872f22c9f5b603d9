// argmax(xs: 83.f32) -> (f32, i64)
// for sm_80
extern "C" __global__ void __launch_bounds__(256) argmax(
    const float* __restrict__ xs,
    bool* __restrict__ a_1st,
    float* __restrict__ a_2nd,
    long long* __restrict__ a_3rd,
    float* __restrict__ output_1st,
    long long* __restrict__ output_2nd
) {
  __shared__ __align__(16) bool a_by_thread128_from_a_of_thread_1st[128];
  bool* const a_by_thread128_from_xs_1st = a_by_thread128_from_a_of_thread_1st;
  __shared__ __align__(16) float a_by_thread128_from_a_of_thread_2nd[128];
  float* const a_by_thread128_from_xs_2nd = a_by_thread128_from_a_of_thread_2nd;
  __shared__ __align__(16) unsigned char a_by_thread128_from_a_of_thread_3rd_bytes[1024];
  long long* const a_by_thread128_from_a_of_thread_3rd = reinterpret_cast<long long*>(a_by_thread128_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread128_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread128_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread2_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread128_from_a_of_thread_3rd_bytes + 0);
  float* const a_by_thread2_from_xs_2nd = reinterpret_cast<float*>(a_by_thread128_from_a_of_thread_3rd_bytes + 16);
  bool* const a_by_thread2_from_xs_1st = reinterpret_cast<bool*>(a_by_thread128_from_a_of_thread_3rd_bytes + 32);
  __shared__ __align__(16) bool a_by_thread256_from_a_of_thread_1st[256];
  bool* const a_by_thread256_from_xs_1st = a_by_thread256_from_a_of_thread_1st;
  __shared__ __align__(16) float a_by_thread256_from_a_of_thread_2nd[256];
  float* const a_by_thread256_from_xs_2nd = a_by_thread256_from_a_of_thread_2nd;
  __shared__ __align__(16) unsigned char a_by_thread256_from_a_of_thread_3rd_bytes[2048];
  long long* const a_by_thread256_from_a_of_thread_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread256_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread64_from_a_of_thread_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread64_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 0);
  long long* const a_by_thread32_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 512);
  long long* const a_by_thread32_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 512);
  float* const a_by_thread64_from_a_of_thread_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 768);
  float* const a_by_thread64_from_xs_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 768);
  long long* const a_by_thread16_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1024);
  long long* const a_by_thread16_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1024);
  float* const a_by_thread32_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1152);
  float* const a_by_thread32_from_xs_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1152);
  long long* const a_by_thread8_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1280);
  long long* const a_by_thread8_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1280);
  float* const a_by_thread16_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1344);
  float* const a_by_thread16_from_xs_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1344);
  bool* const a_by_thread64_from_a_of_thread_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1408);
  bool* const a_by_thread64_from_xs_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1408);
  long long* const a_by_thread4_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1472);
  long long* const a_by_thread4_from_xs_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1472);
  float* const a_by_thread8_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1504);
  float* const a_by_thread8_from_xs_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1504);
  bool* const a_by_thread32_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1536);
  bool* const a_by_thread32_from_xs_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1536);
  long long* const a_by_thread2_3rd = reinterpret_cast<long long*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1568);
  float* const a_by_thread4_from_xs_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1568);
  float* const a_by_thread4_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1584);
  bool* const a_by_thread16_from_xs_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1584);
  bool* const a_by_thread16_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1600);
  bool* const a_by_thread8_from_xs_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1600);
  float* const a_by_thread2_2nd = reinterpret_cast<float*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1616);
  bool* const a_by_thread4_from_xs_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1616);
  bool* const a_by_thread8_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1632);
  bool* const a_by_thread4_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1648);
  bool* const a_by_thread2_1st = reinterpret_cast<bool*>(a_by_thread256_from_a_of_thread_3rd_bytes + 1664);
  const int xs_i_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  long long a_of_thread_3rd;
  a_of_thread_1st = false;
  a_of_thread_2nd = -__int_as_float(0x7f800000);
  a_of_thread_3rd = -1LL;
  for (int xs_i = 0; xs_i < 8; xs_i++) {
    const int at_xs_i = xs_i_thread * 8 + xs_i;
    const bool b_1st = at_xs_i < 83;
    const float padded_xs = at_xs_i < 83 ? xs[at_xs_i] : -__int_as_float(0x7f800000);
    const long long b_3rd = at_xs_i < 83 ? (long long)at_xs_i : -1LL;
    const bool this_a_of_thread_1st = a_of_thread_1st;
    const bool padded_xs_is_greater = padded_xs > a_of_thread_2nd;
    a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
    a_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? (padded_xs_is_greater ? padded_xs : a_of_thread_2nd) : a_of_thread_2nd) : padded_xs;
    a_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? (padded_xs_is_greater ? b_3rd : a_of_thread_3rd) : a_of_thread_3rd) : b_3rd;
  }
  a_by_thread256_from_xs_1st[xs_i_thread] = a_of_thread_1st;
  a_by_thread256_from_xs_2nd[xs_i_thread] = a_of_thread_2nd;
  a_by_thread256_from_xs_3rd[xs_i_thread] = a_of_thread_3rd;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread256_from_xs_1st = a_by_thread256_from_xs_1st[thread * 2];
    const bool right_a_by_thread256_from_xs_1st = a_by_thread256_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread256_from_xs_2nd_is_greater = a_by_thread256_from_xs_2nd[thread * 2 + 1] > a_by_thread256_from_xs_2nd[thread * 2];
    a_by_thread128_from_xs_1st[thread] = left_a_by_thread256_from_xs_1st ? (right_a_by_thread256_from_xs_1st ? true : a_by_thread256_from_xs_1st[thread * 2]) : a_by_thread256_from_xs_1st[thread * 2 + 1];
    a_by_thread128_from_xs_2nd[thread] = left_a_by_thread256_from_xs_1st ? (right_a_by_thread256_from_xs_1st ? (a_by_thread256_from_xs_2nd_is_greater ? a_by_thread256_from_xs_2nd[thread * 2 + 1] : a_by_thread256_from_xs_2nd[thread * 2]) : a_by_thread256_from_xs_2nd[thread * 2]) : a_by_thread256_from_xs_2nd[thread * 2 + 1];
    a_by_thread128_from_xs_3rd[thread] = left_a_by_thread256_from_xs_1st ? (right_a_by_thread256_from_xs_1st ? (a_by_thread256_from_xs_2nd_is_greater ? a_by_thread256_from_xs_3rd[thread * 2 + 1] : a_by_thread256_from_xs_3rd[thread * 2]) : a_by_thread256_from_xs_3rd[thread * 2]) : a_by_thread256_from_xs_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread128_from_xs_1st = a_by_thread128_from_xs_1st[thread * 2];
    const bool right_a_by_thread128_from_xs_1st = a_by_thread128_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread128_from_xs_2nd_is_greater = a_by_thread128_from_xs_2nd[thread * 2 + 1] > a_by_thread128_from_xs_2nd[thread * 2];
    a_by_thread64_from_xs_1st[thread] = left_a_by_thread128_from_xs_1st ? (right_a_by_thread128_from_xs_1st ? true : a_by_thread128_from_xs_1st[thread * 2]) : a_by_thread128_from_xs_1st[thread * 2 + 1];
    a_by_thread64_from_xs_2nd[thread] = left_a_by_thread128_from_xs_1st ? (right_a_by_thread128_from_xs_1st ? (a_by_thread128_from_xs_2nd_is_greater ? a_by_thread128_from_xs_2nd[thread * 2 + 1] : a_by_thread128_from_xs_2nd[thread * 2]) : a_by_thread128_from_xs_2nd[thread * 2]) : a_by_thread128_from_xs_2nd[thread * 2 + 1];
    a_by_thread64_from_xs_3rd[thread] = left_a_by_thread128_from_xs_1st ? (right_a_by_thread128_from_xs_1st ? (a_by_thread128_from_xs_2nd_is_greater ? a_by_thread128_from_xs_3rd[thread * 2 + 1] : a_by_thread128_from_xs_3rd[thread * 2]) : a_by_thread128_from_xs_3rd[thread * 2]) : a_by_thread128_from_xs_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread64_from_xs_1st = a_by_thread64_from_xs_1st[thread * 2];
    const bool right_a_by_thread64_from_xs_1st = a_by_thread64_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread64_from_xs_2nd_is_greater = a_by_thread64_from_xs_2nd[thread * 2 + 1] > a_by_thread64_from_xs_2nd[thread * 2];
    a_by_thread32_from_xs_1st[thread] = left_a_by_thread64_from_xs_1st ? (right_a_by_thread64_from_xs_1st ? true : a_by_thread64_from_xs_1st[thread * 2]) : a_by_thread64_from_xs_1st[thread * 2 + 1];
    a_by_thread32_from_xs_2nd[thread] = left_a_by_thread64_from_xs_1st ? (right_a_by_thread64_from_xs_1st ? (a_by_thread64_from_xs_2nd_is_greater ? a_by_thread64_from_xs_2nd[thread * 2 + 1] : a_by_thread64_from_xs_2nd[thread * 2]) : a_by_thread64_from_xs_2nd[thread * 2]) : a_by_thread64_from_xs_2nd[thread * 2 + 1];
    a_by_thread32_from_xs_3rd[thread] = left_a_by_thread64_from_xs_1st ? (right_a_by_thread64_from_xs_1st ? (a_by_thread64_from_xs_2nd_is_greater ? a_by_thread64_from_xs_3rd[thread * 2 + 1] : a_by_thread64_from_xs_3rd[thread * 2]) : a_by_thread64_from_xs_3rd[thread * 2]) : a_by_thread64_from_xs_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread32_from_xs_1st = a_by_thread32_from_xs_1st[thread * 2];
    const bool right_a_by_thread32_from_xs_1st = a_by_thread32_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread32_from_xs_2nd_is_greater = a_by_thread32_from_xs_2nd[thread * 2 + 1] > a_by_thread32_from_xs_2nd[thread * 2];
    a_by_thread16_from_xs_1st[thread] = left_a_by_thread32_from_xs_1st ? (right_a_by_thread32_from_xs_1st ? true : a_by_thread32_from_xs_1st[thread * 2]) : a_by_thread32_from_xs_1st[thread * 2 + 1];
    a_by_thread16_from_xs_2nd[thread] = left_a_by_thread32_from_xs_1st ? (right_a_by_thread32_from_xs_1st ? (a_by_thread32_from_xs_2nd_is_greater ? a_by_thread32_from_xs_2nd[thread * 2 + 1] : a_by_thread32_from_xs_2nd[thread * 2]) : a_by_thread32_from_xs_2nd[thread * 2]) : a_by_thread32_from_xs_2nd[thread * 2 + 1];
    a_by_thread16_from_xs_3rd[thread] = left_a_by_thread32_from_xs_1st ? (right_a_by_thread32_from_xs_1st ? (a_by_thread32_from_xs_2nd_is_greater ? a_by_thread32_from_xs_3rd[thread * 2 + 1] : a_by_thread32_from_xs_3rd[thread * 2]) : a_by_thread32_from_xs_3rd[thread * 2]) : a_by_thread32_from_xs_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread16_from_xs_1st = a_by_thread16_from_xs_1st[thread * 2];
    const bool right_a_by_thread16_from_xs_1st = a_by_thread16_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread16_from_xs_2nd_is_greater = a_by_thread16_from_xs_2nd[thread * 2 + 1] > a_by_thread16_from_xs_2nd[thread * 2];
    a_by_thread8_from_xs_1st[thread] = left_a_by_thread16_from_xs_1st ? (right_a_by_thread16_from_xs_1st ? true : a_by_thread16_from_xs_1st[thread * 2]) : a_by_thread16_from_xs_1st[thread * 2 + 1];
    a_by_thread8_from_xs_2nd[thread] = left_a_by_thread16_from_xs_1st ? (right_a_by_thread16_from_xs_1st ? (a_by_thread16_from_xs_2nd_is_greater ? a_by_thread16_from_xs_2nd[thread * 2 + 1] : a_by_thread16_from_xs_2nd[thread * 2]) : a_by_thread16_from_xs_2nd[thread * 2]) : a_by_thread16_from_xs_2nd[thread * 2 + 1];
    a_by_thread8_from_xs_3rd[thread] = left_a_by_thread16_from_xs_1st ? (right_a_by_thread16_from_xs_1st ? (a_by_thread16_from_xs_2nd_is_greater ? a_by_thread16_from_xs_3rd[thread * 2 + 1] : a_by_thread16_from_xs_3rd[thread * 2]) : a_by_thread16_from_xs_3rd[thread * 2]) : a_by_thread16_from_xs_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread8_from_xs_1st = a_by_thread8_from_xs_1st[thread * 2];
    const bool right_a_by_thread8_from_xs_1st = a_by_thread8_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread8_from_xs_2nd_is_greater = a_by_thread8_from_xs_2nd[thread * 2 + 1] > a_by_thread8_from_xs_2nd[thread * 2];
    a_by_thread4_from_xs_1st[thread] = left_a_by_thread8_from_xs_1st ? (right_a_by_thread8_from_xs_1st ? true : a_by_thread8_from_xs_1st[thread * 2]) : a_by_thread8_from_xs_1st[thread * 2 + 1];
    a_by_thread4_from_xs_2nd[thread] = left_a_by_thread8_from_xs_1st ? (right_a_by_thread8_from_xs_1st ? (a_by_thread8_from_xs_2nd_is_greater ? a_by_thread8_from_xs_2nd[thread * 2 + 1] : a_by_thread8_from_xs_2nd[thread * 2]) : a_by_thread8_from_xs_2nd[thread * 2]) : a_by_thread8_from_xs_2nd[thread * 2 + 1];
    a_by_thread4_from_xs_3rd[thread] = left_a_by_thread8_from_xs_1st ? (right_a_by_thread8_from_xs_1st ? (a_by_thread8_from_xs_2nd_is_greater ? a_by_thread8_from_xs_3rd[thread * 2 + 1] : a_by_thread8_from_xs_3rd[thread * 2]) : a_by_thread8_from_xs_3rd[thread * 2]) : a_by_thread8_from_xs_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread4_from_xs_1st = a_by_thread4_from_xs_1st[thread * 2];
    const bool right_a_by_thread4_from_xs_1st = a_by_thread4_from_xs_1st[thread * 2 + 1];
    const bool a_by_thread4_from_xs_2nd_is_greater = a_by_thread4_from_xs_2nd[thread * 2 + 1] > a_by_thread4_from_xs_2nd[thread * 2];
    a_by_thread2_from_xs_1st[thread] = left_a_by_thread4_from_xs_1st ? (right_a_by_thread4_from_xs_1st ? true : a_by_thread4_from_xs_1st[thread * 2]) : a_by_thread4_from_xs_1st[thread * 2 + 1];
    a_by_thread2_from_xs_2nd[thread] = left_a_by_thread4_from_xs_1st ? (right_a_by_thread4_from_xs_1st ? (a_by_thread4_from_xs_2nd_is_greater ? a_by_thread4_from_xs_2nd[thread * 2 + 1] : a_by_thread4_from_xs_2nd[thread * 2]) : a_by_thread4_from_xs_2nd[thread * 2]) : a_by_thread4_from_xs_2nd[thread * 2 + 1];
    a_by_thread2_from_xs_3rd[thread] = left_a_by_thread4_from_xs_1st ? (right_a_by_thread4_from_xs_1st ? (a_by_thread4_from_xs_2nd_is_greater ? a_by_thread4_from_xs_3rd[thread * 2 + 1] : a_by_thread4_from_xs_3rd[thread * 2]) : a_by_thread4_from_xs_3rd[thread * 2]) : a_by_thread4_from_xs_3rd[thread * 2 + 1];
  }
  bool a_from_b_1st_1st;
  float a_from_b_1st_2nd;
  long long a_from_b_1st_3rd;
  a_from_b_1st_1st = false;
  a_from_b_1st_2nd = -__int_as_float(0x7f800000);
  a_from_b_1st_3rd = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_1st = a_from_b_1st_1st;
    const bool this_a_by_thread2_from_xs_1st = a_by_thread2_from_xs_1st[i_b];
    const bool a_by_thread2_from_xs_2nd_is_greater = a_by_thread2_from_xs_2nd[i_b] > a_from_b_1st_2nd;
    a_from_b_1st_1st = this_a_1st ? (this_a_by_thread2_from_xs_1st ? true : a_from_b_1st_1st) : a_by_thread2_from_xs_1st[i_b];
    a_from_b_1st_2nd = this_a_1st ? (this_a_by_thread2_from_xs_1st ? (a_by_thread2_from_xs_2nd_is_greater ? a_by_thread2_from_xs_2nd[i_b] : a_from_b_1st_2nd) : a_from_b_1st_2nd) : a_by_thread2_from_xs_2nd[i_b];
    a_from_b_1st_3rd = this_a_1st ? (this_a_by_thread2_from_xs_1st ? (a_by_thread2_from_xs_2nd_is_greater ? a_by_thread2_from_xs_3rd[i_b] : a_from_b_1st_3rd) : a_from_b_1st_3rd) : a_by_thread2_from_xs_3rd[i_b];
  }
  if (threadIdx.x < 1) {
    a_1st[0] = a_from_b_1st_1st;
    a_2nd[0] = a_from_b_1st_2nd;
    a_3rd[0] = a_from_b_1st_3rd;
  }
  const int thread = threadIdx.x;
  bool a_of_thread_1st_1;
  float a_of_thread_2nd_1;
  long long a_of_thread_3rd_1;
  a_of_thread_1st_1 = false;
  a_of_thread_2nd_1 = -__int_as_float(0x7f800000);
  a_of_thread_3rd_1 = -1LL;
  const bool padded_a_1st = thread < 1 ? a_1st[thread] : false;
  const float padded_a_2nd = thread < 1 ? a_2nd[thread] : -__int_as_float(0x7f800000);
  const long long padded_a_3rd = thread < 1 ? a_3rd[thread] : -1LL;
  const bool this_a_of_thread_1st = a_of_thread_1st_1;
  const bool padded_a_2nd_is_greater = padded_a_2nd > a_of_thread_2nd_1;
  a_of_thread_1st_1 = this_a_of_thread_1st ? (padded_a_1st ? true : a_of_thread_1st_1) : padded_a_1st;
  a_of_thread_2nd_1 = this_a_of_thread_1st ? (padded_a_1st ? (padded_a_2nd_is_greater ? padded_a_2nd : a_of_thread_2nd_1) : a_of_thread_2nd_1) : padded_a_2nd;
  a_of_thread_3rd_1 = this_a_of_thread_1st ? (padded_a_1st ? (padded_a_2nd_is_greater ? padded_a_3rd : a_of_thread_3rd_1) : a_of_thread_3rd_1) : padded_a_3rd;
  a_by_thread256_from_a_of_thread_1st[thread] = a_of_thread_1st_1;
  a_by_thread256_from_a_of_thread_2nd[thread] = a_of_thread_2nd_1;
  a_by_thread256_from_a_of_thread_3rd[thread] = a_of_thread_3rd_1;
  __syncthreads();
  if (threadIdx.x < 128) {
    const bool left_a_by_thread256_from_a_of_thread_1st = a_by_thread256_from_a_of_thread_1st[thread * 2];
    const bool right_a_by_thread256_from_a_of_thread_1st = a_by_thread256_from_a_of_thread_1st[thread * 2 + 1];
    const bool a_by_thread256_from_a_of_thread_2nd_is_greater = a_by_thread256_from_a_of_thread_2nd[thread * 2 + 1] > a_by_thread256_from_a_of_thread_2nd[thread * 2];
    a_by_thread128_from_a_of_thread_1st[thread] = left_a_by_thread256_from_a_of_thread_1st ? (right_a_by_thread256_from_a_of_thread_1st ? true : a_by_thread256_from_a_of_thread_1st[thread * 2]) : a_by_thread256_from_a_of_thread_1st[thread * 2 + 1];
    a_by_thread128_from_a_of_thread_2nd[thread] = left_a_by_thread256_from_a_of_thread_1st ? (right_a_by_thread256_from_a_of_thread_1st ? (a_by_thread256_from_a_of_thread_2nd_is_greater ? a_by_thread256_from_a_of_thread_2nd[thread * 2 + 1] : a_by_thread256_from_a_of_thread_2nd[thread * 2]) : a_by_thread256_from_a_of_thread_2nd[thread * 2]) : a_by_thread256_from_a_of_thread_2nd[thread * 2 + 1];
    a_by_thread128_from_a_of_thread_3rd[thread] = left_a_by_thread256_from_a_of_thread_1st ? (right_a_by_thread256_from_a_of_thread_1st ? (a_by_thread256_from_a_of_thread_2nd_is_greater ? a_by_thread256_from_a_of_thread_3rd[thread * 2 + 1] : a_by_thread256_from_a_of_thread_3rd[thread * 2]) : a_by_thread256_from_a_of_thread_3rd[thread * 2]) : a_by_thread256_from_a_of_thread_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const bool left_a_by_thread128_from_a_of_thread_1st = a_by_thread128_from_a_of_thread_1st[thread * 2];
    const bool right_a_by_thread128_from_a_of_thread_1st = a_by_thread128_from_a_of_thread_1st[thread * 2 + 1];
    const bool a_by_thread128_from_a_of_thread_2nd_is_greater = a_by_thread128_from_a_of_thread_2nd[thread * 2 + 1] > a_by_thread128_from_a_of_thread_2nd[thread * 2];
    a_by_thread64_from_a_of_thread_1st[thread] = left_a_by_thread128_from_a_of_thread_1st ? (right_a_by_thread128_from_a_of_thread_1st ? true : a_by_thread128_from_a_of_thread_1st[thread * 2]) : a_by_thread128_from_a_of_thread_1st[thread * 2 + 1];
    a_by_thread64_from_a_of_thread_2nd[thread] = left_a_by_thread128_from_a_of_thread_1st ? (right_a_by_thread128_from_a_of_thread_1st ? (a_by_thread128_from_a_of_thread_2nd_is_greater ? a_by_thread128_from_a_of_thread_2nd[thread * 2 + 1] : a_by_thread128_from_a_of_thread_2nd[thread * 2]) : a_by_thread128_from_a_of_thread_2nd[thread * 2]) : a_by_thread128_from_a_of_thread_2nd[thread * 2 + 1];
    a_by_thread64_from_a_of_thread_3rd[thread] = left_a_by_thread128_from_a_of_thread_1st ? (right_a_by_thread128_from_a_of_thread_1st ? (a_by_thread128_from_a_of_thread_2nd_is_greater ? a_by_thread128_from_a_of_thread_3rd[thread * 2 + 1] : a_by_thread128_from_a_of_thread_3rd[thread * 2]) : a_by_thread128_from_a_of_thread_3rd[thread * 2]) : a_by_thread128_from_a_of_thread_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const bool left_a_by_thread64_from_a_of_thread_1st = a_by_thread64_from_a_of_thread_1st[thread * 2];
    const bool right_a_by_thread64_from_a_of_thread_1st = a_by_thread64_from_a_of_thread_1st[thread * 2 + 1];
    const bool a_by_thread64_from_a_of_thread_2nd_is_greater = a_by_thread64_from_a_of_thread_2nd[thread * 2 + 1] > a_by_thread64_from_a_of_thread_2nd[thread * 2];
    a_by_thread32_1st[thread] = left_a_by_thread64_from_a_of_thread_1st ? (right_a_by_thread64_from_a_of_thread_1st ? true : a_by_thread64_from_a_of_thread_1st[thread * 2]) : a_by_thread64_from_a_of_thread_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_from_a_of_thread_1st ? (right_a_by_thread64_from_a_of_thread_1st ? (a_by_thread64_from_a_of_thread_2nd_is_greater ? a_by_thread64_from_a_of_thread_2nd[thread * 2 + 1] : a_by_thread64_from_a_of_thread_2nd[thread * 2]) : a_by_thread64_from_a_of_thread_2nd[thread * 2]) : a_by_thread64_from_a_of_thread_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_from_a_of_thread_1st ? (right_a_by_thread64_from_a_of_thread_1st ? (a_by_thread64_from_a_of_thread_2nd_is_greater ? a_by_thread64_from_a_of_thread_3rd[thread * 2 + 1] : a_by_thread64_from_a_of_thread_3rd[thread * 2]) : a_by_thread64_from_a_of_thread_3rd[thread * 2]) : a_by_thread64_from_a_of_thread_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    const bool a_by_thread32_2nd_is_greater = a_by_thread32_2nd[thread * 2 + 1] > a_by_thread32_2nd[thread * 2];
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_greater ? a_by_thread32_2nd[thread * 2 + 1] : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_greater ? a_by_thread32_3rd[thread * 2 + 1] : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    const bool a_by_thread16_2nd_is_greater = a_by_thread16_2nd[thread * 2 + 1] > a_by_thread16_2nd[thread * 2];
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_greater ? a_by_thread16_2nd[thread * 2 + 1] : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_greater ? a_by_thread16_3rd[thread * 2 + 1] : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    const bool a_by_thread8_2nd_is_greater = a_by_thread8_2nd[thread * 2 + 1] > a_by_thread8_2nd[thread * 2];
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_greater ? a_by_thread8_2nd[thread * 2 + 1] : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_greater ? a_by_thread8_3rd[thread * 2 + 1] : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    const bool a_by_thread4_2nd_is_greater = a_by_thread4_2nd[thread * 2 + 1] > a_by_thread4_2nd[thread * 2];
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_greater ? a_by_thread4_2nd[thread * 2 + 1] : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2 + 1];
    a_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_greater ? a_by_thread4_3rd[thread * 2 + 1] : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2 + 1];
  }
  bool a_from_left_a_by_thread4_1st_1st;
  float a_from_left_a_by_thread4_1st_2nd;
  long long a_from_left_a_by_thread4_1st_3rd;
  a_from_left_a_by_thread4_1st_1st = false;
  a_from_left_a_by_thread4_1st_2nd = -__int_as_float(0x7f800000);
  a_from_left_a_by_thread4_1st_3rd = -1LL;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_1st = a_from_left_a_by_thread4_1st_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    const bool a_by_thread2_2nd_is_greater = a_by_thread2_2nd[i_b] > a_from_left_a_by_thread4_1st_2nd;
    a_from_left_a_by_thread4_1st_1st = this_a_1st ? (this_a_by_thread2_1st ? true : a_from_left_a_by_thread4_1st_1st) : a_by_thread2_1st[i_b];
    a_from_left_a_by_thread4_1st_2nd = this_a_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_greater ? a_by_thread2_2nd[i_b] : a_from_left_a_by_thread4_1st_2nd) : a_from_left_a_by_thread4_1st_2nd) : a_by_thread2_2nd[i_b];
    a_from_left_a_by_thread4_1st_3rd = this_a_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_greater ? a_by_thread2_3rd[i_b] : a_from_left_a_by_thread4_1st_3rd) : a_from_left_a_by_thread4_1st_3rd) : a_by_thread2_3rd[i_b];
  }
  const bool a_2nd_is_greater = a_from_left_a_by_thread4_1st_2nd > -__int_as_float(0x7f800000);
  if (threadIdx.x < 1) {
    output_1st[0] = a_from_left_a_by_thread4_1st_1st ? (a_2nd_is_greater ? a_from_left_a_by_thread4_1st_2nd : -__int_as_float(0x7f800000)) : -__int_as_float(0x7f800000);
    output_2nd[0] = a_from_left_a_by_thread4_1st_1st ? (a_2nd_is_greater ? a_from_left_a_by_thread4_1st_3rd : -1LL) : -1LL;
  }
}
