// kmeans_step(centres: 4.3.f32, points: 16.3.f32) -> 4.3.f32
// for sm_80
extern "C" __global__ void __launch_bounds__(256) kmeans_step(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    long long* __restrict__ labels
) {
  __shared__ __align__(16) bool a_by_thread2_1st[2];
  __shared__ __align__(16) float a_by_thread2_2nd[2];
  __shared__ __align__(16) long long a_by_thread2_3rd[2];
  __shared__ __align__(16) bool a_by_thread4_1st[4];
  __shared__ __align__(16) float a_by_thread4_2nd[4];
  __shared__ __align__(16) long long a_by_thread4_3rd[4];
  __shared__ __align__(16) bool a_by_thread8_1st[8];
  __shared__ __align__(16) float a_by_thread8_2nd[8];
  __shared__ __align__(16) long long a_by_thread8_3rd[8];
  __shared__ __align__(16) bool a_by_thread16_1st[16];
  __shared__ __align__(16) float a_by_thread16_2nd[16];
  __shared__ __align__(16) long long a_by_thread16_3rd[16];
  __shared__ __align__(16) bool a_by_thread32_1st[32];
  __shared__ __align__(16) float a_by_thread32_2nd[32];
  __shared__ __align__(16) long long a_by_thread32_3rd[32];
  __shared__ __align__(16) bool a_by_thread64_1st[64];
  __shared__ __align__(16) float a_by_thread64_2nd[64];
  __shared__ __align__(16) long long a_by_thread64_3rd[64];
  __shared__ __align__(16) bool a_by_thread128_1st[128];
  __shared__ __align__(16) float a_by_thread128_2nd[128];
  __shared__ __align__(16) long long a_by_thread128_3rd[128];
  __shared__ __align__(16) bool a_by_thread256_1st[256];
  __shared__ __align__(16) float a_by_thread256_2nd[256];
  __shared__ __align__(16) long long a_by_thread256_3rd[256];
  const int points_row_block = blockIdx.x;
  const int centres_row_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  long long a_of_thread_3rd;
  a_of_thread_1st = false;
  a_of_thread_2nd = __int_as_float(0x7f800000);
  a_of_thread_3rd = -1LL;
  const bool b_1st = centres_row_thread < 4;
  float chosen;
  if (centres_row_thread < 4) {
    chosen = 0.0f;
    for (int centres_column = 0; centres_column < 3; centres_column++) {
      const float d = points[points_row_block * 3 + centres_column] - centres[centres_row_thread * 3 + centres_column];
      chosen = chosen + d * d;
    }
  } else {
    chosen = __int_as_float(0x7f800000);
  }
  const long long b_3rd = centres_row_thread < 4 ? (long long)centres_row_thread : -1LL;
  const bool this_a_of_thread_1st = a_of_thread_1st;
  const bool chosen_is_less = chosen < a_of_thread_2nd;
  a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
  a_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? (chosen_is_less ? chosen : a_of_thread_2nd) : a_of_thread_2nd) : chosen;
  a_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? (chosen_is_less ? b_3rd : a_of_thread_3rd) : a_of_thread_3rd) : b_3rd;
  a_by_thread256_1st[centres_row_thread] = a_of_thread_1st;
  a_by_thread256_2nd[centres_row_thread] = a_of_thread_2nd;
  a_by_thread256_3rd[centres_row_thread] = a_of_thread_3rd;
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
    labels[points_row_block] = a_of_block_1st ? (a_of_block_2nd_is_less ? a_of_block_3rd : -1LL) : -1LL;
  }
}

extern "C" __global__ void __launch_bounds__(32) kmeans_step_1(
    const float* __restrict__ centres,
    const float* __restrict__ points,
    const long long* __restrict__ labels,
    float* __restrict__ output
) {
  if (blockIdx.x * 32 + threadIdx.x < 4) {
    const int row = blockIdx.x * 32 + threadIdx.x;
    for (int column = 0; column < 3; column++) {
      float acc_for_count;
      acc_for_count = 0.0f;
      for (int points_row = 0; points_row < 16; points_row++) {
        acc_for_count = acc_for_count + (labels[points_row] == (long long)row ? 1.0f : 0.0f);
      }
      const bool count_is_positive = acc_for_count > 0.0f;
      float chosen;
      if (count_is_positive) {
        float acc;
        acc = 0.0f;
        for (int points_row = 0; points_row < 16; points_row++) {
          acc = acc + (labels[points_row] == (long long)row ? points[points_row * 3 + column] : 0.0f);
        }
        chosen = acc / acc_for_count;
      } else {
        chosen = centres[row * 3 + column];
      }
      output[row * 3 + column] = chosen;
    }
  }
}
