// moments(xs: N.f32) -> (f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) moments(
    const float* __restrict__ xs,
    bool* __restrict__ b_32,
    float* __restrict__ b_33,
    float* __restrict__ b_34,
    float* __restrict__ b_35,
    const int N
) {
  __shared__ __align__(16) bool stored[2];
  __shared__ __align__(16) float stored_1[2];
  __shared__ __align__(16) float stored_2[2];
  __shared__ __align__(16) float stored_3[2];
  __shared__ __align__(16) bool stored_4[4];
  __shared__ __align__(16) float stored_5[4];
  __shared__ __align__(16) float stored_6[4];
  __shared__ __align__(16) float stored_7[4];
  __shared__ __align__(16) bool stored_8[8];
  __shared__ __align__(16) float stored_9[8];
  __shared__ __align__(16) float stored_10[8];
  __shared__ __align__(16) float stored_11[8];
  __shared__ __align__(16) bool stored_12[16];
  __shared__ __align__(16) float stored_13[16];
  __shared__ __align__(16) float stored_14[16];
  __shared__ __align__(16) float stored_15[16];
  __shared__ __align__(16) bool stored_16[32];
  __shared__ __align__(16) float stored_17[32];
  __shared__ __align__(16) float stored_18[32];
  __shared__ __align__(16) float stored_19[32];
  __shared__ __align__(16) bool stored_20[64];
  __shared__ __align__(16) float stored_21[64];
  __shared__ __align__(16) float stored_22[64];
  __shared__ __align__(16) float stored_23[64];
  __shared__ __align__(16) bool stored_24[128];
  __shared__ __align__(16) float stored_25[128];
  __shared__ __align__(16) float stored_26[128];
  __shared__ __align__(16) float stored_27[128];
  __shared__ __align__(16) bool stored_28[256];
  __shared__ __align__(16) float stored_29[256];
  __shared__ __align__(16) float stored_30[256];
  __shared__ __align__(16) float stored_31[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  float a_3;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  a_3 = 0.0f;
  for (int n = 0; n < 8; n++) {
    const bool b = n_block * 2048 + n_thread * 8 + n < N ? true : false;
    const float b_1 = n_block * 2048 + n_thread * 8 + n < N ? 1.0f : 0.0f;
    const float b_2 = n_block * 2048 + n_thread * 8 + n < N ? xs[n_block * 2048 + n_thread * 8 + n] : 0.0f;
    const float b_3 = n_block * 2048 + n_thread * 8 + n < N ? 0.0f : 0.0f;
    const bool choice = a;
    const bool choice_1 = b_1 == 0.0f;
    const float count = a_1 + b_1;
    const float apart = b_2 - a_2;
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(b ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_1 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = a_3;
        }
        if (at_2 < 1) {
          const float x = a_3 + b_3 + apart * apart * (a_1 * b_1 / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = a_3;
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_3;
    }
    a = choice ? (b ? true : a) : b;
    a_1 = choice ? (b ? (choice_1 ? a_1 : count) : a_1) : b_1;
    a_2 = choice ? (b ? (choice_1 ? a_2 : a_2 + apart * (b_1 / count)) : a_2) : b_2;
    a_3 = chosen;
  }
  stored_28[n_thread] = a;
  stored_29[n_thread] = a_1;
  stored_30[n_thread] = a_2;
  stored_31[n_thread] = a_3;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i = threadIdx.x;
    const bool choice = stored_28[i * 2];
    const bool choice_1 = stored_28[i * 2 + 1];
    const bool choice_2 = stored_29[i * 2 + 1] == 0.0f;
    const float count = stored_29[i * 2] + stored_29[i * 2 + 1];
    const float apart = stored_30[i * 2 + 1] - stored_30[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_31[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_31[i * 2] + stored_31[i * 2 + 1] + apart * apart * (stored_29[i * 2] * stored_29[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_31[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_31[i * 2 + 1];
    }
    stored_24[i] = choice ? (choice_1 ? true : stored_28[i * 2]) : stored_28[i * 2 + 1];
    stored_25[i] = choice ? (choice_1 ? (choice_2 ? stored_29[i * 2] : count) : stored_29[i * 2]) : stored_29[i * 2 + 1];
    stored_26[i] = choice ? (choice_1 ? (choice_2 ? stored_30[i * 2] : stored_30[i * 2] + apart * (stored_29[i * 2 + 1] / count)) : stored_30[i * 2]) : stored_30[i * 2 + 1];
    stored_27[i] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i = threadIdx.x;
    const bool choice = stored_24[i * 2];
    const bool choice_1 = stored_24[i * 2 + 1];
    const bool choice_2 = stored_25[i * 2 + 1] == 0.0f;
    const float count = stored_25[i * 2] + stored_25[i * 2 + 1];
    const float apart = stored_26[i * 2 + 1] - stored_26[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_27[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_27[i * 2] + stored_27[i * 2 + 1] + apart * apart * (stored_25[i * 2] * stored_25[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_27[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_27[i * 2 + 1];
    }
    stored_20[i] = choice ? (choice_1 ? true : stored_24[i * 2]) : stored_24[i * 2 + 1];
    stored_21[i] = choice ? (choice_1 ? (choice_2 ? stored_25[i * 2] : count) : stored_25[i * 2]) : stored_25[i * 2 + 1];
    stored_22[i] = choice ? (choice_1 ? (choice_2 ? stored_26[i * 2] : stored_26[i * 2] + apart * (stored_25[i * 2 + 1] / count)) : stored_26[i * 2]) : stored_26[i * 2 + 1];
    stored_23[i] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i = threadIdx.x;
    const bool choice = stored_20[i * 2];
    const bool choice_1 = stored_20[i * 2 + 1];
    const bool choice_2 = stored_21[i * 2 + 1] == 0.0f;
    const float count = stored_21[i * 2] + stored_21[i * 2 + 1];
    const float apart = stored_22[i * 2 + 1] - stored_22[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_23[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_23[i * 2] + stored_23[i * 2 + 1] + apart * apart * (stored_21[i * 2] * stored_21[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_23[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_23[i * 2 + 1];
    }
    stored_16[i] = choice ? (choice_1 ? true : stored_20[i * 2]) : stored_20[i * 2 + 1];
    stored_17[i] = choice ? (choice_1 ? (choice_2 ? stored_21[i * 2] : count) : stored_21[i * 2]) : stored_21[i * 2 + 1];
    stored_18[i] = choice ? (choice_1 ? (choice_2 ? stored_22[i * 2] : stored_22[i * 2] + apart * (stored_21[i * 2 + 1] / count)) : stored_22[i * 2]) : stored_22[i * 2 + 1];
    stored_19[i] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i = threadIdx.x;
    const bool choice = stored_16[i * 2];
    const bool choice_1 = stored_16[i * 2 + 1];
    const bool choice_2 = stored_17[i * 2 + 1] == 0.0f;
    const float count = stored_17[i * 2] + stored_17[i * 2 + 1];
    const float apart = stored_18[i * 2 + 1] - stored_18[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_19[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_19[i * 2] + stored_19[i * 2 + 1] + apart * apart * (stored_17[i * 2] * stored_17[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_19[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_19[i * 2 + 1];
    }
    stored_12[i] = choice ? (choice_1 ? true : stored_16[i * 2]) : stored_16[i * 2 + 1];
    stored_13[i] = choice ? (choice_1 ? (choice_2 ? stored_17[i * 2] : count) : stored_17[i * 2]) : stored_17[i * 2 + 1];
    stored_14[i] = choice ? (choice_1 ? (choice_2 ? stored_18[i * 2] : stored_18[i * 2] + apart * (stored_17[i * 2 + 1] / count)) : stored_18[i * 2]) : stored_18[i * 2 + 1];
    stored_15[i] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i = threadIdx.x;
    const bool choice = stored_12[i * 2];
    const bool choice_1 = stored_12[i * 2 + 1];
    const bool choice_2 = stored_13[i * 2 + 1] == 0.0f;
    const float count = stored_13[i * 2] + stored_13[i * 2 + 1];
    const float apart = stored_14[i * 2 + 1] - stored_14[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_15[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_15[i * 2] + stored_15[i * 2 + 1] + apart * apart * (stored_13[i * 2] * stored_13[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_15[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_15[i * 2 + 1];
    }
    stored_8[i] = choice ? (choice_1 ? true : stored_12[i * 2]) : stored_12[i * 2 + 1];
    stored_9[i] = choice ? (choice_1 ? (choice_2 ? stored_13[i * 2] : count) : stored_13[i * 2]) : stored_13[i * 2 + 1];
    stored_10[i] = choice ? (choice_1 ? (choice_2 ? stored_14[i * 2] : stored_14[i * 2] + apart * (stored_13[i * 2 + 1] / count)) : stored_14[i * 2]) : stored_14[i * 2 + 1];
    stored_11[i] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i = threadIdx.x;
    const bool choice = stored_8[i * 2];
    const bool choice_1 = stored_8[i * 2 + 1];
    const bool choice_2 = stored_9[i * 2 + 1] == 0.0f;
    const float count = stored_9[i * 2] + stored_9[i * 2 + 1];
    const float apart = stored_10[i * 2 + 1] - stored_10[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_11[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_11[i * 2] + stored_11[i * 2 + 1] + apart * apart * (stored_9[i * 2] * stored_9[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_11[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_11[i * 2 + 1];
    }
    stored_4[i] = choice ? (choice_1 ? true : stored_8[i * 2]) : stored_8[i * 2 + 1];
    stored_5[i] = choice ? (choice_1 ? (choice_2 ? stored_9[i * 2] : count) : stored_9[i * 2]) : stored_9[i * 2 + 1];
    stored_6[i] = choice ? (choice_1 ? (choice_2 ? stored_10[i * 2] : stored_10[i * 2] + apart * (stored_9[i * 2 + 1] / count)) : stored_10[i * 2]) : stored_10[i * 2 + 1];
    stored_7[i] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i = threadIdx.x;
    const bool choice = stored_4[i * 2];
    const bool choice_1 = stored_4[i * 2 + 1];
    const bool choice_2 = stored_5[i * 2 + 1] == 0.0f;
    const float count = stored_5[i * 2] + stored_5[i * 2 + 1];
    const float apart = stored_6[i * 2 + 1] - stored_6[i * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = stored_7[i * 2];
        }
        if (at_2 < 1) {
          const float x = stored_7[i * 2] + stored_7[i * 2 + 1] + apart * apart * (stored_5[i * 2] * stored_5[i * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = stored_7[i * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_7[i * 2 + 1];
    }
    stored[i] = choice ? (choice_1 ? true : stored_4[i * 2]) : stored_4[i * 2 + 1];
    stored_1[i] = choice ? (choice_1 ? (choice_2 ? stored_5[i * 2] : count) : stored_5[i * 2]) : stored_5[i * 2 + 1];
    stored_2[i] = choice ? (choice_1 ? (choice_2 ? stored_6[i * 2] : stored_6[i * 2] + apart * (stored_5[i * 2 + 1] / count)) : stored_6[i * 2]) : stored_6[i * 2 + 1];
    stored_3[i] = chosen;
  }
  bool a_4;
  float a_5;
  float a_6;
  float a_7;
  a_4 = false;
  a_5 = 0.0f;
  a_6 = 0.0f;
  a_7 = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice = a_4;
    const bool choice_1 = stored[i_b];
    const bool choice_2 = stored_1[i_b] == 0.0f;
    const float count = a_5 + stored_1[i_b];
    const float apart = stored_2[i_b] - a_6;
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = a_7;
        }
        if (at_2 < 1) {
          const float x = a_7 + stored_3[i_b] + apart * apart * (a_5 * stored_1[i_b] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = a_7;
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = stored_3[i_b];
    }
    a_4 = choice ? (choice_1 ? true : a_4) : stored[i_b];
    a_5 = choice ? (choice_1 ? (choice_2 ? a_5 : count) : a_5) : stored_1[i_b];
    a_6 = choice ? (choice_1 ? (choice_2 ? a_6 : a_6 + apart * (stored_1[i_b] / count)) : a_6) : stored_2[i_b];
    a_7 = chosen;
  }
  if (threadIdx.x < 1) {
    b_32[n_block] = a_4;
    b_33[n_block] = a_5;
    b_34[n_block] = a_6;
    b_35[n_block] = a_7;
  }
}

extern "C" __global__ void __launch_bounds__(256) moments_1(
    const bool* __restrict__ b_32,
    const float* __restrict__ b_33,
    const float* __restrict__ b_34,
    const float* __restrict__ b_35,
    float* __restrict__ output_1,
    float* __restrict__ output_2,
    float* __restrict__ output_3,
    const int N
) {
  __shared__ __align__(16) bool b[2];
  __shared__ __align__(16) float b_1[2];
  __shared__ __align__(16) float b_2[2];
  __shared__ __align__(16) float b_3[2];
  __shared__ __align__(16) bool b_4[4];
  __shared__ __align__(16) float b_5[4];
  __shared__ __align__(16) float b_6[4];
  __shared__ __align__(16) float b_7[4];
  __shared__ __align__(16) bool b_8[8];
  __shared__ __align__(16) float b_9[8];
  __shared__ __align__(16) float b_10[8];
  __shared__ __align__(16) float b_11[8];
  __shared__ __align__(16) bool b_12[16];
  __shared__ __align__(16) float b_13[16];
  __shared__ __align__(16) float b_14[16];
  __shared__ __align__(16) float b_15[16];
  __shared__ __align__(16) bool b_16[32];
  __shared__ __align__(16) float b_17[32];
  __shared__ __align__(16) float b_18[32];
  __shared__ __align__(16) float b_19[32];
  __shared__ __align__(16) bool b_20[64];
  __shared__ __align__(16) float b_21[64];
  __shared__ __align__(16) float b_22[64];
  __shared__ __align__(16) float b_23[64];
  __shared__ __align__(16) bool b_24[128];
  __shared__ __align__(16) float b_25[128];
  __shared__ __align__(16) float b_26[128];
  __shared__ __align__(16) float b_27[128];
  __shared__ __align__(16) bool b_28[256];
  __shared__ __align__(16) float b_29[256];
  __shared__ __align__(16) float b_30[256];
  __shared__ __align__(16) float b_31[256];
  const int i = threadIdx.x;
  bool a;
  float a_1;
  float a_2;
  float a_3;
  a = false;
  a_1 = 0.0f;
  a_2 = 0.0f;
  a_3 = 0.0f;
  for (int i_b = 0; i_b < (N + 2047) / 524288 + 1; i_b++) {
    const bool b_36 = i * ((N + 2047) / 524288) + i + i_b < (N + 2047) / 2048 ? b_32[i * ((N + 2047) / 524288) + i + i_b] : false;
    const float b_37 = i * ((N + 2047) / 524288) + i + i_b < (N + 2047) / 2048 ? b_33[i * ((N + 2047) / 524288) + i + i_b] : 0.0f;
    const float b_38 = i * ((N + 2047) / 524288) + i + i_b < (N + 2047) / 2048 ? b_34[i * ((N + 2047) / 524288) + i + i_b] : 0.0f;
    const float b_39 = i * ((N + 2047) / 524288) + i + i_b < (N + 2047) / 2048 ? b_35[i * ((N + 2047) / 524288) + i + i_b] : 0.0f;
    const bool choice = a;
    const bool choice_1 = b_37 == 0.0f;
    const float count = a_1 + b_37;
    const float apart = b_38 - a_2;
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(b_36 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_1 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = a_3;
        }
        if (at_2 < 1) {
          const float x = a_3 + b_39 + apart * apart * (a_1 * b_37 / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = a_3;
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_39;
    }
    a = choice ? (b_36 ? true : a) : b_36;
    a_1 = choice ? (b_36 ? (choice_1 ? a_1 : count) : a_1) : b_37;
    a_2 = choice ? (b_36 ? (choice_1 ? a_2 : a_2 + apart * (b_37 / count)) : a_2) : b_38;
    a_3 = chosen;
  }
  b_28[i] = a;
  b_29[i] = a_1;
  b_30[i] = a_2;
  b_31[i] = a_3;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int i_1 = threadIdx.x;
    const bool choice = b_28[i_1 * 2];
    const bool choice_1 = b_28[i_1 * 2 + 1];
    const bool choice_2 = b_29[i_1 * 2 + 1] == 0.0f;
    const float count = b_29[i_1 * 2] + b_29[i_1 * 2 + 1];
    const float apart = b_30[i_1 * 2 + 1] - b_30[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_31[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_31[i_1 * 2] + b_31[i_1 * 2 + 1] + apart * apart * (b_29[i_1 * 2] * b_29[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_31[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_31[i_1 * 2 + 1];
    }
    b_24[i_1] = choice ? (choice_1 ? true : b_28[i_1 * 2]) : b_28[i_1 * 2 + 1];
    b_25[i_1] = choice ? (choice_1 ? (choice_2 ? b_29[i_1 * 2] : count) : b_29[i_1 * 2]) : b_29[i_1 * 2 + 1];
    b_26[i_1] = choice ? (choice_1 ? (choice_2 ? b_30[i_1 * 2] : b_30[i_1 * 2] + apart * (b_29[i_1 * 2 + 1] / count)) : b_30[i_1 * 2]) : b_30[i_1 * 2 + 1];
    b_27[i_1] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int i_1 = threadIdx.x;
    const bool choice = b_24[i_1 * 2];
    const bool choice_1 = b_24[i_1 * 2 + 1];
    const bool choice_2 = b_25[i_1 * 2 + 1] == 0.0f;
    const float count = b_25[i_1 * 2] + b_25[i_1 * 2 + 1];
    const float apart = b_26[i_1 * 2 + 1] - b_26[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_27[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_27[i_1 * 2] + b_27[i_1 * 2 + 1] + apart * apart * (b_25[i_1 * 2] * b_25[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_27[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_27[i_1 * 2 + 1];
    }
    b_20[i_1] = choice ? (choice_1 ? true : b_24[i_1 * 2]) : b_24[i_1 * 2 + 1];
    b_21[i_1] = choice ? (choice_1 ? (choice_2 ? b_25[i_1 * 2] : count) : b_25[i_1 * 2]) : b_25[i_1 * 2 + 1];
    b_22[i_1] = choice ? (choice_1 ? (choice_2 ? b_26[i_1 * 2] : b_26[i_1 * 2] + apart * (b_25[i_1 * 2 + 1] / count)) : b_26[i_1 * 2]) : b_26[i_1 * 2 + 1];
    b_23[i_1] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int i_1 = threadIdx.x;
    const bool choice = b_20[i_1 * 2];
    const bool choice_1 = b_20[i_1 * 2 + 1];
    const bool choice_2 = b_21[i_1 * 2 + 1] == 0.0f;
    const float count = b_21[i_1 * 2] + b_21[i_1 * 2 + 1];
    const float apart = b_22[i_1 * 2 + 1] - b_22[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_23[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_23[i_1 * 2] + b_23[i_1 * 2 + 1] + apart * apart * (b_21[i_1 * 2] * b_21[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_23[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_23[i_1 * 2 + 1];
    }
    b_16[i_1] = choice ? (choice_1 ? true : b_20[i_1 * 2]) : b_20[i_1 * 2 + 1];
    b_17[i_1] = choice ? (choice_1 ? (choice_2 ? b_21[i_1 * 2] : count) : b_21[i_1 * 2]) : b_21[i_1 * 2 + 1];
    b_18[i_1] = choice ? (choice_1 ? (choice_2 ? b_22[i_1 * 2] : b_22[i_1 * 2] + apart * (b_21[i_1 * 2 + 1] / count)) : b_22[i_1 * 2]) : b_22[i_1 * 2 + 1];
    b_19[i_1] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int i_1 = threadIdx.x;
    const bool choice = b_16[i_1 * 2];
    const bool choice_1 = b_16[i_1 * 2 + 1];
    const bool choice_2 = b_17[i_1 * 2 + 1] == 0.0f;
    const float count = b_17[i_1 * 2] + b_17[i_1 * 2 + 1];
    const float apart = b_18[i_1 * 2 + 1] - b_18[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_19[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_19[i_1 * 2] + b_19[i_1 * 2 + 1] + apart * apart * (b_17[i_1 * 2] * b_17[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_19[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_19[i_1 * 2 + 1];
    }
    b_12[i_1] = choice ? (choice_1 ? true : b_16[i_1 * 2]) : b_16[i_1 * 2 + 1];
    b_13[i_1] = choice ? (choice_1 ? (choice_2 ? b_17[i_1 * 2] : count) : b_17[i_1 * 2]) : b_17[i_1 * 2 + 1];
    b_14[i_1] = choice ? (choice_1 ? (choice_2 ? b_18[i_1 * 2] : b_18[i_1 * 2] + apart * (b_17[i_1 * 2 + 1] / count)) : b_18[i_1 * 2]) : b_18[i_1 * 2 + 1];
    b_15[i_1] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int i_1 = threadIdx.x;
    const bool choice = b_12[i_1 * 2];
    const bool choice_1 = b_12[i_1 * 2 + 1];
    const bool choice_2 = b_13[i_1 * 2 + 1] == 0.0f;
    const float count = b_13[i_1 * 2] + b_13[i_1 * 2 + 1];
    const float apart = b_14[i_1 * 2 + 1] - b_14[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_15[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_15[i_1 * 2] + b_15[i_1 * 2 + 1] + apart * apart * (b_13[i_1 * 2] * b_13[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_15[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_15[i_1 * 2 + 1];
    }
    b_8[i_1] = choice ? (choice_1 ? true : b_12[i_1 * 2]) : b_12[i_1 * 2 + 1];
    b_9[i_1] = choice ? (choice_1 ? (choice_2 ? b_13[i_1 * 2] : count) : b_13[i_1 * 2]) : b_13[i_1 * 2 + 1];
    b_10[i_1] = choice ? (choice_1 ? (choice_2 ? b_14[i_1 * 2] : b_14[i_1 * 2] + apart * (b_13[i_1 * 2 + 1] / count)) : b_14[i_1 * 2]) : b_14[i_1 * 2 + 1];
    b_11[i_1] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int i_1 = threadIdx.x;
    const bool choice = b_8[i_1 * 2];
    const bool choice_1 = b_8[i_1 * 2 + 1];
    const bool choice_2 = b_9[i_1 * 2 + 1] == 0.0f;
    const float count = b_9[i_1 * 2] + b_9[i_1 * 2 + 1];
    const float apart = b_10[i_1 * 2 + 1] - b_10[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_11[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_11[i_1 * 2] + b_11[i_1 * 2 + 1] + apart * apart * (b_9[i_1 * 2] * b_9[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_11[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_11[i_1 * 2 + 1];
    }
    b_4[i_1] = choice ? (choice_1 ? true : b_8[i_1 * 2]) : b_8[i_1 * 2 + 1];
    b_5[i_1] = choice ? (choice_1 ? (choice_2 ? b_9[i_1 * 2] : count) : b_9[i_1 * 2]) : b_9[i_1 * 2 + 1];
    b_6[i_1] = choice ? (choice_1 ? (choice_2 ? b_10[i_1 * 2] : b_10[i_1 * 2] + apart * (b_9[i_1 * 2 + 1] / count)) : b_10[i_1 * 2]) : b_10[i_1 * 2 + 1];
    b_7[i_1] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int i_1 = threadIdx.x;
    const bool choice = b_4[i_1 * 2];
    const bool choice_1 = b_4[i_1 * 2 + 1];
    const bool choice_2 = b_5[i_1 * 2 + 1] == 0.0f;
    const float count = b_5[i_1 * 2] + b_5[i_1 * 2 + 1];
    const float apart = b_6[i_1 * 2 + 1] - b_6[i_1 * 2];
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = b_7[i_1 * 2];
        }
        if (at_2 < 1) {
          const float x = b_7[i_1 * 2] + b_7[i_1 * 2 + 1] + apart * apart * (b_5[i_1 * 2] * b_5[i_1 * 2 + 1] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = b_7[i_1 * 2];
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_7[i_1 * 2 + 1];
    }
    b[i_1] = choice ? (choice_1 ? true : b_4[i_1 * 2]) : b_4[i_1 * 2 + 1];
    b_1[i_1] = choice ? (choice_1 ? (choice_2 ? b_5[i_1 * 2] : count) : b_5[i_1 * 2]) : b_5[i_1 * 2 + 1];
    b_2[i_1] = choice ? (choice_1 ? (choice_2 ? b_6[i_1 * 2] : b_6[i_1 * 2] + apart * (b_5[i_1 * 2 + 1] / count)) : b_6[i_1 * 2]) : b_6[i_1 * 2 + 1];
    b_3[i_1] = chosen;
  }
  bool a_4;
  float a_5;
  float a_6;
  float a_7;
  a_4 = false;
  a_5 = 0.0f;
  a_6 = 0.0f;
  a_7 = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool choice = a_4;
    const bool choice_1 = b[i_b];
    const bool choice_2 = b_1[i_b] == 0.0f;
    const float count = a_5 + b_1[i_b];
    const float apart = b_2[i_b] - a_6;
    const int at = (int)(choice ? (long long)1 : (long long)0);
    float chosen;
    if (0 < at) {
      const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
      float chosen_1;
      if (0 < at_1) {
        const int at_2 = (int)(choice_2 ? (long long)1 : (long long)0);
        float chosen_2;
        if (0 < at_2) {
          chosen_2 = a_7;
        }
        if (at_2 < 1) {
          const float x = a_7 + b_3[i_b] + apart * apart * (a_5 * b_1[i_b] / count);
          chosen_2 = x;
        }
        chosen_1 = chosen_2;
      }
      if (at_1 < 1) {
        chosen_1 = a_7;
      }
      chosen = chosen_1;
    }
    if (at < 1) {
      chosen = b_3[i_b];
    }
    a_4 = choice ? (choice_1 ? true : a_4) : b[i_b];
    a_5 = choice ? (choice_1 ? (choice_2 ? a_5 : count) : a_5) : b_1[i_b];
    a_6 = choice ? (choice_1 ? (choice_2 ? a_6 : a_6 + apart * (b_1[i_b] / count)) : a_6) : b_2[i_b];
    a_7 = chosen;
  }
  const bool choice = a_4;
  const bool choice_1 = a_5 == 0.0f;
  const float count = 0.0f + a_5;
  const float apart = a_6 - 0.0f;
  const int at = (int)(choice ? (long long)1 : (long long)0);
  float chosen;
  if (0 < at) {
    const int at_1 = (int)(choice_1 ? (long long)1 : (long long)0);
    float chosen_1;
    if (0 < at_1) {
      chosen_1 = 0.0f;
    }
    if (at_1 < 1) {
      const float x = 0.0f + a_7 + apart * apart * (0.0f * a_5 / count);
      chosen_1 = x;
    }
    chosen = chosen_1;
  }
  if (at < 1) {
    chosen = 0.0f;
  }
  if (threadIdx.x < 1) {
    output_1[0] = choice ? (choice_1 ? 0.0f : count) : 0.0f;
    output_2[0] = choice ? (choice_1 ? 0.0f : 0.0f + apart * (a_5 / count)) : 0.0f;
    output_3[0] = chosen;
  }
}
