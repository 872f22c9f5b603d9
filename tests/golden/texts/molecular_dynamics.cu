// molecular_dynamics(cutoff: f32, atoms: N.(f32, f32), neighbours: N.K.idx[N]) -> N.(f32, f32) for all N, K
// for sm_80
extern "C" __global__ void __launch_bounds__(256) molecular_dynamics(
    const float* __restrict__ atoms_1,
    const float* __restrict__ atoms_2,
    const long long* __restrict__ neighbours,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    const float cutoff,
    const int K
) {
  __shared__ __align__(16) bool b[2];
  __shared__ __align__(16) float b_1[2];
  __shared__ __align__(16) float b_2[2];
  __shared__ __align__(16) bool b_3[4];
  __shared__ __align__(16) float b_4[4];
  __shared__ __align__(16) float b_5[4];
  __shared__ __align__(16) bool b_6[8];
  __shared__ __align__(16) float b_7[8];
  __shared__ __align__(16) float b_8[8];
  __shared__ __align__(16) bool b_9[16];
  __shared__ __align__(16) float b_10[16];
  __shared__ __align__(16) float b_11[16];
  __shared__ __align__(16) bool b_12[32];
  __shared__ __align__(16) float b_13[32];
  __shared__ __align__(16) float b_14[32];
  __shared__ __align__(16) bool b_15[64];
  __shared__ __align__(16) float b_16[64];
  __shared__ __align__(16) float b_17[64];
  __shared__ __align__(16) bool b_18[128];
  __shared__ __align__(16) float b_19[128];
  __shared__ __align__(16) float b_20[128];
  __shared__ __align__(16) bool b_21[256];
  __shared__ __align__(16) float b_22[256];
  __shared__ __align__(16) float b_23[256];
  const int n_block = blockIdx.x;
  const int k_thread = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  for (int k = 0; k < K / 256 + 1; k++) {
    bool chosen;
    if (k_thread * (K / 256) + k_thread + k < K) {
      const int at = (int)neighbours[n_block * K + k_thread * (K / 256) + k_thread + k];
      chosen = true;
    }
    if (K < k_thread * (K / 256) + k_thread + k + 1) {
      chosen = false;
    }
    float chosen_1;
    if (k_thread * (K / 256) + k_thread + k < K) {
      const int at = (int)neighbours[n_block * K + k_thread * (K / 256) + k_thread + k];
      const float dx = atoms_1[n_block] - atoms_1[at];
      const float dy = atoms_2[n_block] - atoms_2[at];
      const float square = dx * dx + dy * dy;
      const bool choice = square < cutoff * cutoff && square > 0.0f;
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      chosen_1 = choice ? s * dx : 0.0f;
    }
    if (K < k_thread * (K / 256) + k_thread + k + 1) {
      chosen_1 = 0.0f;
    }
    float chosen_2;
    if (k_thread * (K / 256) + k_thread + k < K) {
      const int at = (int)neighbours[n_block * K + k_thread * (K / 256) + k_thread + k];
      const float dx = atoms_1[n_block] - atoms_1[at];
      const float dy = atoms_2[n_block] - atoms_2[at];
      const float square = dx * dx + dy * dy;
      const bool choice = square < cutoff * cutoff && square > 0.0f;
      const float r2_1 = 1.0f / square;
      const float r6_1 = r2_1 * r2_1 * r2_1;
      const float s = 24.0f * r2_1 * r6_1 * (2.0f * r6_1 - 1.0f);
      chosen_2 = choice ? s * dy : 0.0f;
    }
    if (K < k_thread * (K / 256) + k_thread + k + 1) {
      chosen_2 = 0.0f;
    }
    const bool choice = a;
    const bool choice_1 = chosen;
    a = choice ? (choice_1 ? true : a) : chosen;
    a_1 = choice ? (choice_1 ? a_1 + chosen_1 : a_1) : chosen_1;
    a_2 = choice ? (choice_1 ? a_2 + chosen_2 : a_2) : chosen_2;
  }
  b_21[k_thread] = a;
  b_22[k_thread] = a_1;
  b_23[k_thread] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    const bool choice = b_21[i * 2];
    const bool choice_1 = b_21[i * 2 + 1];
    b_18[i] = choice ? (choice_1 ? true : b_21[i * 2]) : b_21[i * 2 + 1];
    b_19[i] = choice ? (choice_1 ? b_22[i * 2] + b_22[i * 2 + 1] : b_22[i * 2]) : b_22[i * 2 + 1];
    b_20[i] = choice ? (choice_1 ? b_23[i * 2] + b_23[i * 2 + 1] : b_23[i * 2]) : b_23[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    const bool choice = b_18[i * 2];
    const bool choice_1 = b_18[i * 2 + 1];
    b_15[i] = choice ? (choice_1 ? true : b_18[i * 2]) : b_18[i * 2 + 1];
    b_16[i] = choice ? (choice_1 ? b_19[i * 2] + b_19[i * 2 + 1] : b_19[i * 2]) : b_19[i * 2 + 1];
    b_17[i] = choice ? (choice_1 ? b_20[i * 2] + b_20[i * 2 + 1] : b_20[i * 2]) : b_20[i * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    const bool choice = b_15[i * 2];
    const bool choice_1 = b_15[i * 2 + 1];
    b_12[i] = choice ? (choice_1 ? true : b_15[i * 2]) : b_15[i * 2 + 1];
    b_13[i] = choice ? (choice_1 ? b_16[i * 2] + b_16[i * 2 + 1] : b_16[i * 2]) : b_16[i * 2 + 1];
    b_14[i] = choice ? (choice_1 ? b_17[i * 2] + b_17[i * 2 + 1] : b_17[i * 2]) : b_17[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    const bool choice = b_12[i * 2];
    const bool choice_1 = b_12[i * 2 + 1];
    b_9[i] = choice ? (choice_1 ? true : b_12[i * 2]) : b_12[i * 2 + 1];
    b_10[i] = choice ? (choice_1 ? b_13[i * 2] + b_13[i * 2 + 1] : b_13[i * 2]) : b_13[i * 2 + 1];
    b_11[i] = choice ? (choice_1 ? b_14[i * 2] + b_14[i * 2 + 1] : b_14[i * 2]) : b_14[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    const bool choice = b_9[i * 2];
    const bool choice_1 = b_9[i * 2 + 1];
    b_6[i] = choice ? (choice_1 ? true : b_9[i * 2]) : b_9[i * 2 + 1];
    b_7[i] = choice ? (choice_1 ? b_10[i * 2] + b_10[i * 2 + 1] : b_10[i * 2]) : b_10[i * 2 + 1];
    b_8[i] = choice ? (choice_1 ? b_11[i * 2] + b_11[i * 2 + 1] : b_11[i * 2]) : b_11[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    const bool choice = b_6[i * 2];
    const bool choice_1 = b_6[i * 2 + 1];
    b_3[i] = choice ? (choice_1 ? true : b_6[i * 2]) : b_6[i * 2 + 1];
    b_4[i] = choice ? (choice_1 ? b_7[i * 2] + b_7[i * 2 + 1] : b_7[i * 2]) : b_7[i * 2 + 1];
    b_5[i] = choice ? (choice_1 ? b_8[i * 2] + b_8[i * 2 + 1] : b_8[i * 2]) : b_8[i * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    const bool choice = b_3[i * 2];
    const bool choice_1 = b_3[i * 2 + 1];
    b[i] = choice ? (choice_1 ? true : b_3[i * 2]) : b_3[i * 2 + 1];
    b_1[i] = choice ? (choice_1 ? b_4[i * 2] + b_4[i * 2 + 1] : b_4[i * 2]) : b_4[i * 2 + 1];
    b_2[i] = choice ? (choice_1 ? b_5[i * 2] + b_5[i * 2 + 1] : b_5[i * 2]) : b_5[i * 2 + 1];
  }
  bool a_3;
  float a_4;
  float a_5;
  a_3 = false;
  a_4 = 0.0f;
  a_5 = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice = a_3;
    const bool choice_1 = b[i_b];
    a_3 = choice ? (choice_1 ? true : a_3) : b[i_b];
    a_4 = choice ? (choice_1 ? a_4 + b_1[i_b] : a_4) : b_1[i_b];
    a_5 = choice ? (choice_1 ? a_5 + b_2[i_b] : a_5) : b_2[i_b];
  }
  const bool choice = a_3;
  if (threadIdx.x < 1) {
    output_1[n_block] = choice ? 0.0f + a_4 : 0.0f;
    output_2[n_block] = choice ? 0.0f + a_5 : 0.0f;
  }
}
