// molecular_dynamics(cutoff: f32, atoms: N.(f32, f32), neighbours: N.K.idx[N]) -> N.(f32, f32) for all N, K
// for sm_80
extern "C" __global__ void __launch_bounds__(256) molecular_dynamics(
    const float* __restrict__ atoms_1st,
    const float* __restrict__ atoms_2nd,
    const long long* __restrict__ neighbours,
    float* __restrict__ output_1st,
    float* __restrict__ output_2nd,
    const float cutoff,
    const int K
) {
  __shared__ __align__(16) bool a_by_thread128_1st[128];
  __shared__ __align__(16) float a_by_thread128_2nd[128];
  __shared__ __align__(16) float a_by_thread128_3rd[128];
  __shared__ __align__(16) bool a_by_thread256_1st[256];
  __shared__ __align__(16) unsigned char a_by_thread256_2nd_bytes[1024];
  float* const a_by_thread256_2nd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 0);
  float* const a_by_thread64_2nd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 0);
  float* const a_by_thread64_3rd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 256);
  float* const a_by_thread32_2nd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 512);
  float* const a_by_thread32_3rd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 640);
  float* const a_by_thread16_2nd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 768);
  float* const a_by_thread16_3rd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 832);
  bool* const a_by_thread64_1st = reinterpret_cast<bool*>(a_by_thread256_2nd_bytes + 896);
  float* const a_by_thread8_2nd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 960);
  float* const a_by_thread8_3rd = reinterpret_cast<float*>(a_by_thread256_2nd_bytes + 992);
  __shared__ __align__(16) unsigned char a_by_thread256_3rd_bytes[1024];
  float* const a_by_thread256_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 0);
  bool* const a_by_thread32_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 0);
  float* const a_by_thread4_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 32);
  float* const a_by_thread4_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 48);
  bool* const a_by_thread16_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 64);
  float* const a_by_thread2_2nd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 80);
  float* const a_by_thread2_3rd = reinterpret_cast<float*>(a_by_thread256_3rd_bytes + 96);
  bool* const a_by_thread8_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 112);
  bool* const a_by_thread4_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 128);
  bool* const a_by_thread2_1st = reinterpret_cast<bool*>(a_by_thread256_3rd_bytes + 144);
  const int n_block = blockIdx.x;
  const int k_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  float a_of_thread_3rd;
  a_of_thread_1st = false;
  a_of_thread_2nd = 0.0f;
  a_of_thread_3rd = 0.0f;
  for (int k = 0; k < K / 256 + 1; k++) {
    bool chosen;
    const int at_k = k_thread * (K / 256) + k_thread + k;
    const int at_n_k = n_block * K + k_thread * (K / 256) + k_thread + k;
    if (at_k < K) {
      const int neighbours_entry = (int)neighbours[at_n_k];
      chosen = true;
    } else {
      chosen = false;
    }
    float chosen_from_dx;
    if (at_k < K) {
      const int neighbours_entry = (int)neighbours[at_n_k];
      const float dx = atoms_1st[n_block] - atoms_1st[neighbours_entry];
      const float dy = atoms_2nd[n_block] - atoms_2nd[neighbours_entry];
      const float square = dx * dx + dy * dy;
      const bool all = square < cutoff * cutoff && square > 0.0f;
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      chosen_from_dx = all ? s * dx : 0.0f;
    } else {
      chosen_from_dx = 0.0f;
    }
    float chosen_from_dy;
    if (at_k < K) {
      const int neighbours_entry = (int)neighbours[at_n_k];
      const float dx = atoms_1st[n_block] - atoms_1st[neighbours_entry];
      const float dy = atoms_2nd[n_block] - atoms_2nd[neighbours_entry];
      const float square = dx * dx + dy * dy;
      const bool all = square < cutoff * cutoff && square > 0.0f;
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      chosen_from_dy = all ? s * dy : 0.0f;
    } else {
      chosen_from_dy = 0.0f;
    }
    const bool this_a_of_thread_1st = a_of_thread_1st;
    a_of_thread_1st = this_a_of_thread_1st ? (chosen ? true : a_of_thread_1st) : chosen;
    a_of_thread_2nd = this_a_of_thread_1st ? (chosen ? a_of_thread_2nd + chosen_from_dx : a_of_thread_2nd) : chosen_from_dx;
    a_of_thread_3rd = this_a_of_thread_1st ? (chosen ? a_of_thread_3rd + chosen_from_dy : a_of_thread_3rd) : chosen_from_dy;
  }
  a_by_thread256_1st[k_thread] = a_of_thread_1st;
  a_by_thread256_2nd[k_thread] = a_of_thread_2nd;
  a_by_thread256_3rd[k_thread] = a_of_thread_3rd;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? a_by_thread256_2nd[thread * 2] + a_by_thread256_2nd[thread * 2 + 1] : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2 + 1];
    a_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? a_by_thread256_3rd[thread * 2] + a_by_thread256_3rd[thread * 2 + 1] : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? a_by_thread128_2nd[thread * 2] + a_by_thread128_2nd[thread * 2 + 1] : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2 + 1];
    a_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? a_by_thread128_3rd[thread * 2] + a_by_thread128_3rd[thread * 2 + 1] : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? a_by_thread64_2nd[thread * 2] + a_by_thread64_2nd[thread * 2 + 1] : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? a_by_thread64_3rd[thread * 2] + a_by_thread64_3rd[thread * 2 + 1] : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? a_by_thread32_2nd[thread * 2] + a_by_thread32_2nd[thread * 2 + 1] : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? a_by_thread32_3rd[thread * 2] + a_by_thread32_3rd[thread * 2 + 1] : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? a_by_thread16_2nd[thread * 2] + a_by_thread16_2nd[thread * 2 + 1] : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? a_by_thread16_3rd[thread * 2] + a_by_thread16_3rd[thread * 2 + 1] : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? a_by_thread8_2nd[thread * 2] + a_by_thread8_2nd[thread * 2 + 1] : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? a_by_thread8_3rd[thread * 2] + a_by_thread8_3rd[thread * 2 + 1] : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? a_by_thread4_2nd[thread * 2] + a_by_thread4_2nd[thread * 2 + 1] : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2 + 1];
    a_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? a_by_thread4_3rd[thread * 2] + a_by_thread4_3rd[thread * 2 + 1] : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2 + 1];
  }
  bool a_of_block_1st;
  float a_of_block_2nd;
  float a_of_block_3rd;
  a_of_block_1st = false;
  a_of_block_2nd = 0.0f;
  a_of_block_3rd = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_of_block_1st = a_of_block_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    a_of_block_1st = this_a_of_block_1st ? (this_a_by_thread2_1st ? true : a_of_block_1st) : a_by_thread2_1st[i_b];
    a_of_block_2nd = this_a_of_block_1st ? (this_a_by_thread2_1st ? a_of_block_2nd + a_by_thread2_2nd[i_b] : a_of_block_2nd) : a_by_thread2_2nd[i_b];
    a_of_block_3rd = this_a_of_block_1st ? (this_a_by_thread2_1st ? a_of_block_3rd + a_by_thread2_3rd[i_b] : a_of_block_3rd) : a_by_thread2_3rd[i_b];
  }
  if (threadIdx.x < 1) {
    output_1st[n_block] = a_of_block_1st ? 0.0f + a_of_block_2nd : 0.0f;
    output_2nd[n_block] = a_of_block_1st ? 0.0f + a_of_block_3rd : 0.0f;
  }
}
