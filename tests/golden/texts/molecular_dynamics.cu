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
  const float cutoff_1 = cutoff;
  const int i_p = blockIdx.x;
  const int i_part = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  for (int i_b = 0; i_b < K / 256 + 1; i_b++) {
    bool chosen;
    if (i_part * (K / 256) + i_part + i_b < K) {
      const int at = (int)neighbours[i_p * K + i_part * (K / 256) + i_part + i_b];
      chosen = true;
    }
    if (K < i_part * (K / 256) + i_part + i_b + 1) {
      chosen = false;
    }
    float chosen_1;
    if (i_part * (K / 256) + i_part + i_b < K) {
      const int at_1 = (int)neighbours[i_p * K + i_part * (K / 256) + i_part + i_b];
      const float dx = atoms_1[i_p] - atoms_1[at_1];
      const float dy = atoms_2[i_p] - atoms_2[at_1];
      const float square = dx * dx + dy * dy;
      const bool choice = square < cutoff_1 * cutoff_1 && square > 0.0f;
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      chosen_1 = choice ? s * dx : 0.0f;
    }
    if (K < i_part * (K / 256) + i_part + i_b + 1) {
      chosen_1 = 0.0f;
    }
    float chosen_2;
    if (i_part * (K / 256) + i_part + i_b < K) {
      const int at_2 = (int)neighbours[i_p * K + i_part * (K / 256) + i_part + i_b];
      const float dx_1 = atoms_1[i_p] - atoms_1[at_2];
      const float dy_1 = atoms_2[i_p] - atoms_2[at_2];
      const float square_1 = dx_1 * dx_1 + dy_1 * dy_1;
      const bool choice_1 = square_1 < cutoff_1 * cutoff_1 && square_1 > 0.0f;
      const float r2_1 = 1.0f / square_1;
      const float r6_1 = r2_1 * r2_1 * r2_1;
      const float s_1 = 24.0f * r2_1 * r6_1 * (2.0f * r6_1 - 1.0f);
      chosen_2 = choice_1 ? s_1 * dy_1 : 0.0f;
    }
    if (K < i_part * (K / 256) + i_part + i_b + 1) {
      chosen_2 = 0.0f;
    }
    const bool choice_2 = a;
    const bool choice_3 = chosen;
    a = choice_2 ? (choice_3 ? true : a) : chosen;
    a_1 = choice_2 ? (choice_3 ? a_1 + chosen_1 : a_1) : chosen_1;
    a_2 = choice_2 ? (choice_3 ? a_2 + chosen_2 : a_2) : chosen_2;
  }
  b_21[i_part] = a;
  b_22[i_part] = a_1;
  b_23[i_part] = a_2;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_p_1 = threadIdx.x;
    const bool choice_4 = b_21[i_p_1 * 2];
    const bool choice_5 = b_21[i_p_1 * 2 + 1];
    b_18[i_p_1] = choice_4 ? (choice_5 ? true : b_21[i_p_1 * 2]) : b_21[i_p_1 * 2 + 1];
    b_19[i_p_1] = choice_4 ? (choice_5 ? b_22[i_p_1 * 2] + b_22[i_p_1 * 2 + 1] : b_22[i_p_1 * 2]) : b_22[i_p_1 * 2 + 1];
    b_20[i_p_1] = choice_4 ? (choice_5 ? b_23[i_p_1 * 2] + b_23[i_p_1 * 2 + 1] : b_23[i_p_1 * 2]) : b_23[i_p_1 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_p_2 = threadIdx.x;
    const bool choice_6 = b_18[i_p_2 * 2];
    const bool choice_7 = b_18[i_p_2 * 2 + 1];
    b_15[i_p_2] = choice_6 ? (choice_7 ? true : b_18[i_p_2 * 2]) : b_18[i_p_2 * 2 + 1];
    b_16[i_p_2] = choice_6 ? (choice_7 ? b_19[i_p_2 * 2] + b_19[i_p_2 * 2 + 1] : b_19[i_p_2 * 2]) : b_19[i_p_2 * 2 + 1];
    b_17[i_p_2] = choice_6 ? (choice_7 ? b_20[i_p_2 * 2] + b_20[i_p_2 * 2 + 1] : b_20[i_p_2 * 2]) : b_20[i_p_2 * 2 + 1];
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_p_3 = threadIdx.x;
    const bool choice_8 = b_15[i_p_3 * 2];
    const bool choice_9 = b_15[i_p_3 * 2 + 1];
    b_12[i_p_3] = choice_8 ? (choice_9 ? true : b_15[i_p_3 * 2]) : b_15[i_p_3 * 2 + 1];
    b_13[i_p_3] = choice_8 ? (choice_9 ? b_16[i_p_3 * 2] + b_16[i_p_3 * 2 + 1] : b_16[i_p_3 * 2]) : b_16[i_p_3 * 2 + 1];
    b_14[i_p_3] = choice_8 ? (choice_9 ? b_17[i_p_3 * 2] + b_17[i_p_3 * 2 + 1] : b_17[i_p_3 * 2]) : b_17[i_p_3 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_p_4 = threadIdx.x;
    const bool choice_10 = b_12[i_p_4 * 2];
    const bool choice_11 = b_12[i_p_4 * 2 + 1];
    b_9[i_p_4] = choice_10 ? (choice_11 ? true : b_12[i_p_4 * 2]) : b_12[i_p_4 * 2 + 1];
    b_10[i_p_4] = choice_10 ? (choice_11 ? b_13[i_p_4 * 2] + b_13[i_p_4 * 2 + 1] : b_13[i_p_4 * 2]) : b_13[i_p_4 * 2 + 1];
    b_11[i_p_4] = choice_10 ? (choice_11 ? b_14[i_p_4 * 2] + b_14[i_p_4 * 2 + 1] : b_14[i_p_4 * 2]) : b_14[i_p_4 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_p_5 = threadIdx.x;
    const bool choice_12 = b_9[i_p_5 * 2];
    const bool choice_13 = b_9[i_p_5 * 2 + 1];
    b_6[i_p_5] = choice_12 ? (choice_13 ? true : b_9[i_p_5 * 2]) : b_9[i_p_5 * 2 + 1];
    b_7[i_p_5] = choice_12 ? (choice_13 ? b_10[i_p_5 * 2] + b_10[i_p_5 * 2 + 1] : b_10[i_p_5 * 2]) : b_10[i_p_5 * 2 + 1];
    b_8[i_p_5] = choice_12 ? (choice_13 ? b_11[i_p_5 * 2] + b_11[i_p_5 * 2 + 1] : b_11[i_p_5 * 2]) : b_11[i_p_5 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_p_6 = threadIdx.x;
    const bool choice_14 = b_6[i_p_6 * 2];
    const bool choice_15 = b_6[i_p_6 * 2 + 1];
    b_3[i_p_6] = choice_14 ? (choice_15 ? true : b_6[i_p_6 * 2]) : b_6[i_p_6 * 2 + 1];
    b_4[i_p_6] = choice_14 ? (choice_15 ? b_7[i_p_6 * 2] + b_7[i_p_6 * 2 + 1] : b_7[i_p_6 * 2]) : b_7[i_p_6 * 2 + 1];
    b_5[i_p_6] = choice_14 ? (choice_15 ? b_8[i_p_6 * 2] + b_8[i_p_6 * 2 + 1] : b_8[i_p_6 * 2]) : b_8[i_p_6 * 2 + 1];
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_p_7 = threadIdx.x;
    const bool choice_16 = b_3[i_p_7 * 2];
    const bool choice_17 = b_3[i_p_7 * 2 + 1];
    b[i_p_7] = choice_16 ? (choice_17 ? true : b_3[i_p_7 * 2]) : b_3[i_p_7 * 2 + 1];
    b_1[i_p_7] = choice_16 ? (choice_17 ? b_4[i_p_7 * 2] + b_4[i_p_7 * 2 + 1] : b_4[i_p_7 * 2]) : b_4[i_p_7 * 2 + 1];
    b_2[i_p_7] = choice_16 ? (choice_17 ? b_5[i_p_7 * 2] + b_5[i_p_7 * 2 + 1] : b_5[i_p_7 * 2]) : b_5[i_p_7 * 2 + 1];
  }
  bool a_3;
  float a_4;
  float a_5;
  a_3 = false;
  a_4 = 0.0f;
  a_5 = 0.0f;
  __syncthreads();
  for (int i_b_1 = 0; i_b_1 < 2; i_b_1++) {
    const bool choice_18 = a_3;
    const bool choice_19 = b[i_b_1];
    a_3 = choice_18 ? (choice_19 ? true : a_3) : b[i_b_1];
    a_4 = choice_18 ? (choice_19 ? a_4 + b_1[i_b_1] : a_4) : b_1[i_b_1];
    a_5 = choice_18 ? (choice_19 ? a_5 + b_2[i_b_1] : a_5) : b_2[i_b_1];
  }
  const bool choice_20 = a_3;
  if (threadIdx.x < 1) {
    const int once = threadIdx.x;
    output_1[i_p] = choice_20 ? 0.0f + a_4 : 0.0f;
    output_2[i_p] = choice_20 ? 0.0f + a_5 : 0.0f;
  }
}
