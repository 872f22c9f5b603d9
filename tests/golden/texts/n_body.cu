// n_body(bodies: N.(f32, (f32, (f32, f32)))) -> N.(f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) n_body(
    const float* __restrict__ bodies_1st,
    const float* __restrict__ bodies_2nd,
    const float* __restrict__ bodies_3rd,
    const float* __restrict__ bodies_4th,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    float* __restrict__ output_3rd,
    const int N
) {
  __shared__ __align__(16) bool a_by_thread128_1st[128];
  __shared__ __align__(16) float a_by_thread128_2nd[128];
  __shared__ __align__(16) float a_by_thread128_3rd[128];
  __shared__ __align__(16) float a_by_thread128_4th[128];
  __shared__ __align__(16) bool a_by_thread256_1st[256];
  __shared__ __align__(16) float a_by_thread256_2nd[256];
  float* const a_by_thread64_2nd = a_by_thread256_2nd;
  float* const a_by_thread64_3rd = a_by_thread256_2nd + 64;
  float* const a_by_thread64_4th = a_by_thread256_2nd + 128;
  float* const a_by_thread32_2nd = a_by_thread256_2nd + 192;
  float* const a_by_thread32_3rd = a_by_thread256_2nd + 224;
  __shared__ __align__(16) unsigned char a_by_thread256_3rd_bytes[1024];
  float* const a_by_thread256_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 0);
  float* const a_by_thread32_4th = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 0);
  float* const a_by_thread16_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 128);
  float* const a_by_thread16_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 192);
  float* const a_by_thread16_4th = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 256);
  bool* const a_by_thread64_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 320);
  float* const a_by_thread8_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 384);
  float* const a_by_thread8_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 416);
  float* const a_by_thread8_4th = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 448);
  bool* const a_by_thread32_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 480);
  float* const a_by_thread4_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 512);
  float* const a_by_thread4_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 528);
  float* const a_by_thread4_4th = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 544);
  bool* const a_by_thread16_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 560);
  float* const a_by_thread2_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 576);
  float* const a_by_thread2_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 592);
  float* const a_by_thread2_4th = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 608);
  bool* const a_by_thread8_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 624);
  bool* const a_by_thread4_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 640);
  bool* const a_by_thread2_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 656);
  __shared__ __align__(16) float a_by_thread256_4th[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  float a_of_thread_3rd;
  float a_of_thread_4th;
  a_of_thread_1st = false;
  a_of_thread_2nd = 0.0f;
  a_of_thread_3rd = 0.0f;
  a_of_thread_4th = 0.0f;
  for (int n = 0; n < N / 256 + 1; n++) {
    const int at_n = n_thread * (N / 256) + n_thread + n;
    const bool b_1st = at_n < N;
    float chosen_from_dx;
    if (at_n < N) {
      const float dx = bodies_2nd[at_n] - bodies_2nd[n_block];
      const float dy = bodies_3rd[at_n] - bodies_3rd[n_block];
      const float dz = bodies_4th[at_n] - bodies_4th[n_block];
      const float square = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1st[at_n] / (square * sqrtf(square));
      chosen_from_dx = strength * dx;
    } else {
      chosen_from_dx = 0.0f;
    }
    float chosen_from_dy;
    if (at_n < N) {
      const float dx = bodies_2nd[at_n] - bodies_2nd[n_block];
      const float dy = bodies_3rd[at_n] - bodies_3rd[n_block];
      const float dz = bodies_4th[at_n] - bodies_4th[n_block];
      const float square = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1st[at_n] / (square * sqrtf(square));
      chosen_from_dy = strength * dy;
    } else {
      chosen_from_dy = 0.0f;
    }
    float chosen_from_dz;
    if (at_n < N) {
      const float dx = bodies_2nd[at_n] - bodies_2nd[n_block];
      const float dy = bodies_3rd[at_n] - bodies_3rd[n_block];
      const float dz = bodies_4th[at_n] - bodies_4th[n_block];
      const float square = dx * dx + dy * dy + dz * dz + 0.25f;
      const float strength = bodies_1st[at_n] / (square * sqrtf(square));
      chosen_from_dz = strength * dz;
    } else {
      chosen_from_dz = 0.0f;
    }
    const bool this_a_of_thread_1st = a_of_thread_1st;
    a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
    a_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? a_of_thread_2nd + chosen_from_dx : a_of_thread_2nd) : chosen_from_dx;
    a_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? a_of_thread_3rd + chosen_from_dy : a_of_thread_3rd) : chosen_from_dy;
    a_of_thread_4th = this_a_of_thread_1st ? (b_1st ? a_of_thread_4th + chosen_from_dz : a_of_thread_4th) : chosen_from_dz;
  }
  a_by_thread256_1st[n_thread] = a_of_thread_1st;
  a_by_thread256_2nd[n_thread] = a_of_thread_2nd;
  a_by_thread256_3rd[n_thread] = a_of_thread_3rd;
  a_by_thread256_4th[n_thread] = a_of_thread_4th;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? a_by_thread256_2nd[thread * 2] + a_by_thread256_2nd[thread * 2 + 1] : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2 + 1];
    a_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? a_by_thread256_3rd[thread * 2] + a_by_thread256_3rd[thread * 2 + 1] : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2 + 1];
    a_by_thread128_4th[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? a_by_thread256_4th[thread * 2] + a_by_thread256_4th[thread * 2 + 1] : a_by_thread256_4th[thread * 2]) : a_by_thread256_4th[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? a_by_thread128_2nd[thread * 2] + a_by_thread128_2nd[thread * 2 + 1] : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2 + 1];
    a_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? a_by_thread128_3rd[thread * 2] + a_by_thread128_3rd[thread * 2 + 1] : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2 + 1];
    a_by_thread64_4th[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? a_by_thread128_4th[thread * 2] + a_by_thread128_4th[thread * 2 + 1] : a_by_thread128_4th[thread * 2]) : a_by_thread128_4th[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? a_by_thread64_2nd[thread * 2] + a_by_thread64_2nd[thread * 2 + 1] : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? a_by_thread64_3rd[thread * 2] + a_by_thread64_3rd[thread * 2 + 1] : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2 + 1];
    a_by_thread32_4th[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? a_by_thread64_4th[thread * 2] + a_by_thread64_4th[thread * 2 + 1] : a_by_thread64_4th[thread * 2]) : a_by_thread64_4th[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? a_by_thread32_2nd[thread * 2] + a_by_thread32_2nd[thread * 2 + 1] : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? a_by_thread32_3rd[thread * 2] + a_by_thread32_3rd[thread * 2 + 1] : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
    a_by_thread16_4th[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? a_by_thread32_4th[thread * 2] + a_by_thread32_4th[thread * 2 + 1] : a_by_thread32_4th[thread * 2]) : a_by_thread32_4th[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? a_by_thread16_2nd[thread * 2] + a_by_thread16_2nd[thread * 2 + 1] : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? a_by_thread16_3rd[thread * 2] + a_by_thread16_3rd[thread * 2 + 1] : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
    a_by_thread8_4th[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? a_by_thread16_4th[thread * 2] + a_by_thread16_4th[thread * 2 + 1] : a_by_thread16_4th[thread * 2]) : a_by_thread16_4th[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? a_by_thread8_2nd[thread * 2] + a_by_thread8_2nd[thread * 2 + 1] : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? a_by_thread8_3rd[thread * 2] + a_by_thread8_3rd[thread * 2 + 1] : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
    a_by_thread4_4th[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? a_by_thread8_4th[thread * 2] + a_by_thread8_4th[thread * 2 + 1] : a_by_thread8_4th[thread * 2]) : a_by_thread8_4th[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? a_by_thread4_2nd[thread * 2] + a_by_thread4_2nd[thread * 2 + 1] : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2 + 1];
    a_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? a_by_thread4_3rd[thread * 2] + a_by_thread4_3rd[thread * 2 + 1] : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2 + 1];
    a_by_thread2_4th[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? a_by_thread4_4th[thread * 2] + a_by_thread4_4th[thread * 2 + 1] : a_by_thread4_4th[thread * 2]) : a_by_thread4_4th[thread * 2 + 1];
  }
  bool a_of_block_1st;
  float a_of_block_2nd;
  float a_of_block_3rd;
  float a_of_block_4th;
  a_of_block_1st = false;
  a_of_block_2nd = 0.0f;
  a_of_block_3rd = 0.0f;
  a_of_block_4th = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_of_block_1st = a_of_block_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    a_of_block_1st = this_a_of_block_1st ? (this_a_by_thread2_1st ? true : a_of_block_1st) : a_by_thread2_1st[i_b];
    a_of_block_2nd = this_a_of_block_1st ? (this_a_by_thread2_1st ? a_of_block_2nd + a_by_thread2_2nd[i_b] : a_of_block_2nd) : a_by_thread2_2nd[i_b];
    a_of_block_3rd = this_a_of_block_1st ? (this_a_by_thread2_1st ? a_of_block_3rd + a_by_thread2_3rd[i_b] : a_of_block_3rd) : a_by_thread2_3rd[i_b];
    a_of_block_4th = this_a_of_block_1st ? (this_a_by_thread2_1st ? a_of_block_4th + a_by_thread2_4th[i_b] : a_of_block_4th) : a_by_thread2_4th[i_b];
  }
  if (threadIdx.x < 1) {
    output_1st[n_block] = a_of_block_1st ? 0.0f + a_of_block_2nd : 0.0f;
    output_2nd[n_block] = a_of_block_1st ? 0.0f + a_of_block_3rd : 0.0f;
    output_3rd[n_block] = a_of_block_1st ? 0.0f + a_of_block_4th : 0.0f;
  }
}
