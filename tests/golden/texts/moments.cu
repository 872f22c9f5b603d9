// moments(xs: N.f32) -> (f32, (f32, f32)) for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) moments(
    const float* __restrict__ xs,
    bool* __restrict__ a_by_block_1st,
    float* __restrict__ a_2nd,
    float* __restrict__ a_3rd,
    float* __restrict__ a_by_block_4th,
    const int N
) {
  __shared__ __align__(16) bool a_by_thread128_1st[128];
  __shared__ __align__(16) float a_for_count_by_thread128_2nd[128];
  __shared__ __align__(16) float a_for_apart_by_thread128_3rd[128];
  __shared__ __align__(16) float a_by_thread128_4th[128];
  __shared__ __align__(16) bool a_by_thread256_1st[256];
  __shared__ __align__(16) float a_for_count_by_thread256_2nd[256];
  float* const a_for_count_by_thread64_2nd = a_for_count_by_thread256_2nd;
  float* const a_for_apart_by_thread64_3rd = a_for_count_by_thread256_2nd + 64;
  float* const a_by_thread64_4th = a_for_count_by_thread256_2nd + 128;
  float* const a_for_count_by_thread32_2nd = a_for_count_by_thread256_2nd + 192;
  float* const a_for_apart_by_thread32_3rd = a_for_count_by_thread256_2nd + 224;
  __shared__ __align__(16) unsigned char a_for_apart_by_thread256_3rd_bytes[1024];
  float* const a_for_apart_by_thread256_3rd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 0);
  float* const a_by_thread32_4th = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 0);
  float* const a_for_count_by_thread16_2nd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 128);
  float* const a_for_apart_by_thread16_3rd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 192);
  float* const a_by_thread16_4th = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 256);
  bool* const a_by_thread64_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 320);
  float* const a_for_count_by_thread8_2nd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 384);
  float* const a_for_apart_by_thread8_3rd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 416);
  float* const a_by_thread8_4th = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 448);
  bool* const a_by_thread32_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 480);
  float* const a_for_count_by_thread4_2nd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 512);
  float* const a_for_apart_by_thread4_3rd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 528);
  float* const a_by_thread4_4th = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 544);
  bool* const a_by_thread16_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 560);
  float* const a_for_count_by_thread2_2nd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 576);
  float* const a_for_apart_by_thread2_3rd = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 592);
  float* const a_by_thread2_4th = reinterpret_cast<float*>(a_for_apart_by_thread256_3rd_bytes + 608);
  bool* const a_by_thread8_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 624);
  bool* const a_by_thread4_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 640);
  bool* const a_by_thread2_1st = reinterpret_cast<bool*>(a_for_apart_by_thread256_3rd_bytes + 656);
  __shared__ __align__(16) float a_by_thread256_4th[256];
  const int n_block = blockIdx.x;
  const int n_thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_for_count_of_thread_2nd;
  float a_for_apart_of_thread_3rd;
  float a_of_thread_4th;
  a_of_thread_1st = false;
  a_for_count_of_thread_2nd = 0.0f;
  a_for_apart_of_thread_3rd = 0.0f;
  a_of_thread_4th = 0.0f;
  for (int n = 0; n < 8; n++) {
    const int at_n = n_block * 2048 + n_thread * 8 + n;
    const bool b_1st = at_n < N;
    const float b_2nd = at_n < N ? 1.0f : 0.0f;
    const float padded_xs = at_n < N ? xs[at_n] : 0.0f;
    const float b_4th = at_n < N ? 0.0f : 0.0f;
    const bool this_a_of_thread_1st = a_of_thread_1st;
    const bool b_2nd_is_zero = b_2nd == 0.0f;
    const float count = a_for_count_of_thread_2nd + b_2nd;
    const float apart = padded_xs - a_for_apart_of_thread_3rd;
    float chosen;
    if (this_a_of_thread_1st) {
      if (b_1st) {
        if (b_2nd_is_zero) {
          chosen = a_of_thread_4th;
        } else {
          chosen = a_of_thread_4th + b_4th + apart * apart * (a_for_count_of_thread_2nd * b_2nd / count);
        }
      } else {
        chosen = a_of_thread_4th;
      }
    } else {
      chosen = b_4th;
    }
    a_of_thread_1st = this_a_of_thread_1st ? (b_1st ? true : a_of_thread_1st) : b_1st;
    a_for_count_of_thread_2nd = this_a_of_thread_1st ? (b_1st ? (b_2nd_is_zero ? a_for_count_of_thread_2nd : count) : a_for_count_of_thread_2nd) : b_2nd;
    a_for_apart_of_thread_3rd = this_a_of_thread_1st ? (b_1st ? (b_2nd_is_zero ? a_for_apart_of_thread_3rd : a_for_apart_of_thread_3rd + apart * (b_2nd / count)) : a_for_apart_of_thread_3rd) : padded_xs;
    a_of_thread_4th = chosen;
  }
  a_by_thread256_1st[n_thread] = a_of_thread_1st;
  a_for_count_by_thread256_2nd[n_thread] = a_for_count_of_thread_2nd;
  a_for_apart_by_thread256_3rd[n_thread] = a_for_apart_of_thread_3rd;
  a_by_thread256_4th[n_thread] = a_of_thread_4th;
  __syncthreads();
  if (threadIdx.x < 128) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    const bool a_for_count_by_thread256_2nd_is_zero = a_for_count_by_thread256_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread256_2nd[thread * 2] + a_for_count_by_thread256_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread256_3rd[thread * 2 + 1] - a_for_apart_by_thread256_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread256_1st) {
      if (right_a_by_thread256_1st) {
        if (a_for_count_by_thread256_2nd_is_zero) {
          chosen = a_by_thread256_4th[thread * 2];
        } else {
          chosen = a_by_thread256_4th[thread * 2] + a_by_thread256_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread256_2nd[thread * 2] * a_for_count_by_thread256_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread256_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread256_4th[thread * 2 + 1];
    }
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_for_count_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_for_count_by_thread256_2nd_is_zero ? a_for_count_by_thread256_2nd[thread * 2] : count) : a_for_count_by_thread256_2nd[thread * 2]) : a_for_count_by_thread256_2nd[thread * 2 + 1];
    a_for_apart_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_for_count_by_thread256_2nd_is_zero ? a_for_apart_by_thread256_3rd[thread * 2] : a_for_apart_by_thread256_3rd[thread * 2] + apart * (a_for_count_by_thread256_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread256_3rd[thread * 2]) : a_for_apart_by_thread256_3rd[thread * 2 + 1];
    a_by_thread128_4th[thread] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    const bool a_for_count_by_thread128_2nd_is_zero = a_for_count_by_thread128_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread128_2nd[thread * 2] + a_for_count_by_thread128_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread128_3rd[thread * 2 + 1] - a_for_apart_by_thread128_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread128_1st) {
      if (right_a_by_thread128_1st) {
        if (a_for_count_by_thread128_2nd_is_zero) {
          chosen = a_by_thread128_4th[thread * 2];
        } else {
          chosen = a_by_thread128_4th[thread * 2] + a_by_thread128_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread128_2nd[thread * 2] * a_for_count_by_thread128_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread128_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread128_4th[thread * 2 + 1];
    }
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_for_count_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_for_count_by_thread128_2nd_is_zero ? a_for_count_by_thread128_2nd[thread * 2] : count) : a_for_count_by_thread128_2nd[thread * 2]) : a_for_count_by_thread128_2nd[thread * 2 + 1];
    a_for_apart_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_for_count_by_thread128_2nd_is_zero ? a_for_apart_by_thread128_3rd[thread * 2] : a_for_apart_by_thread128_3rd[thread * 2] + apart * (a_for_count_by_thread128_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread128_3rd[thread * 2]) : a_for_apart_by_thread128_3rd[thread * 2 + 1];
    a_by_thread64_4th[thread] = chosen;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    const bool a_for_count_by_thread64_2nd_is_zero = a_for_count_by_thread64_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread64_2nd[thread * 2] + a_for_count_by_thread64_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread64_3rd[thread * 2 + 1] - a_for_apart_by_thread64_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread64_1st) {
      if (right_a_by_thread64_1st) {
        if (a_for_count_by_thread64_2nd_is_zero) {
          chosen = a_by_thread64_4th[thread * 2];
        } else {
          chosen = a_by_thread64_4th[thread * 2] + a_by_thread64_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread64_2nd[thread * 2] * a_for_count_by_thread64_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread64_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread64_4th[thread * 2 + 1];
    }
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_for_count_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_for_count_by_thread64_2nd_is_zero ? a_for_count_by_thread64_2nd[thread * 2] : count) : a_for_count_by_thread64_2nd[thread * 2]) : a_for_count_by_thread64_2nd[thread * 2 + 1];
    a_for_apart_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_for_count_by_thread64_2nd_is_zero ? a_for_apart_by_thread64_3rd[thread * 2] : a_for_apart_by_thread64_3rd[thread * 2] + apart * (a_for_count_by_thread64_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread64_3rd[thread * 2]) : a_for_apart_by_thread64_3rd[thread * 2 + 1];
    a_by_thread32_4th[thread] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    const bool a_for_count_by_thread32_2nd_is_zero = a_for_count_by_thread32_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread32_2nd[thread * 2] + a_for_count_by_thread32_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread32_3rd[thread * 2 + 1] - a_for_apart_by_thread32_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread32_1st) {
      if (right_a_by_thread32_1st) {
        if (a_for_count_by_thread32_2nd_is_zero) {
          chosen = a_by_thread32_4th[thread * 2];
        } else {
          chosen = a_by_thread32_4th[thread * 2] + a_by_thread32_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread32_2nd[thread * 2] * a_for_count_by_thread32_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread32_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread32_4th[thread * 2 + 1];
    }
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_for_count_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_for_count_by_thread32_2nd_is_zero ? a_for_count_by_thread32_2nd[thread * 2] : count) : a_for_count_by_thread32_2nd[thread * 2]) : a_for_count_by_thread32_2nd[thread * 2 + 1];
    a_for_apart_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_for_count_by_thread32_2nd_is_zero ? a_for_apart_by_thread32_3rd[thread * 2] : a_for_apart_by_thread32_3rd[thread * 2] + apart * (a_for_count_by_thread32_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread32_3rd[thread * 2]) : a_for_apart_by_thread32_3rd[thread * 2 + 1];
    a_by_thread16_4th[thread] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    const bool a_for_count_by_thread16_2nd_is_zero = a_for_count_by_thread16_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread16_2nd[thread * 2] + a_for_count_by_thread16_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread16_3rd[thread * 2 + 1] - a_for_apart_by_thread16_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread16_1st) {
      if (right_a_by_thread16_1st) {
        if (a_for_count_by_thread16_2nd_is_zero) {
          chosen = a_by_thread16_4th[thread * 2];
        } else {
          chosen = a_by_thread16_4th[thread * 2] + a_by_thread16_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread16_2nd[thread * 2] * a_for_count_by_thread16_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread16_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread16_4th[thread * 2 + 1];
    }
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_for_count_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_for_count_by_thread16_2nd_is_zero ? a_for_count_by_thread16_2nd[thread * 2] : count) : a_for_count_by_thread16_2nd[thread * 2]) : a_for_count_by_thread16_2nd[thread * 2 + 1];
    a_for_apart_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_for_count_by_thread16_2nd_is_zero ? a_for_apart_by_thread16_3rd[thread * 2] : a_for_apart_by_thread16_3rd[thread * 2] + apart * (a_for_count_by_thread16_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread16_3rd[thread * 2]) : a_for_apart_by_thread16_3rd[thread * 2 + 1];
    a_by_thread8_4th[thread] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    const bool a_for_count_by_thread8_2nd_is_zero = a_for_count_by_thread8_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread8_2nd[thread * 2] + a_for_count_by_thread8_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread8_3rd[thread * 2 + 1] - a_for_apart_by_thread8_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread8_1st) {
      if (right_a_by_thread8_1st) {
        if (a_for_count_by_thread8_2nd_is_zero) {
          chosen = a_by_thread8_4th[thread * 2];
        } else {
          chosen = a_by_thread8_4th[thread * 2] + a_by_thread8_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread8_2nd[thread * 2] * a_for_count_by_thread8_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread8_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread8_4th[thread * 2 + 1];
    }
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_for_count_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_for_count_by_thread8_2nd_is_zero ? a_for_count_by_thread8_2nd[thread * 2] : count) : a_for_count_by_thread8_2nd[thread * 2]) : a_for_count_by_thread8_2nd[thread * 2 + 1];
    a_for_apart_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_for_count_by_thread8_2nd_is_zero ? a_for_apart_by_thread8_3rd[thread * 2] : a_for_apart_by_thread8_3rd[thread * 2] + apart * (a_for_count_by_thread8_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread8_3rd[thread * 2]) : a_for_apart_by_thread8_3rd[thread * 2 + 1];
    a_by_thread4_4th[thread] = chosen;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const int thread = threadIdx.x;
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    const bool a_for_count_by_thread4_2nd_is_zero = a_for_count_by_thread4_2nd[thread * 2 + 1] == 0.0f;
    const float count = a_for_count_by_thread4_2nd[thread * 2] + a_for_count_by_thread4_2nd[thread * 2 + 1];
    const float apart = a_for_apart_by_thread4_3rd[thread * 2 + 1] - a_for_apart_by_thread4_3rd[thread * 2];
    float chosen;
    if (left_a_by_thread4_1st) {
      if (right_a_by_thread4_1st) {
        if (a_for_count_by_thread4_2nd_is_zero) {
          chosen = a_by_thread4_4th[thread * 2];
        } else {
          chosen = a_by_thread4_4th[thread * 2] + a_by_thread4_4th[thread * 2 + 1] + apart * apart * (a_for_count_by_thread4_2nd[thread * 2] * a_for_count_by_thread4_2nd[thread * 2 + 1] / count);
        }
      } else {
        chosen = a_by_thread4_4th[thread * 2];
      }
    } else {
      chosen = a_by_thread4_4th[thread * 2 + 1];
    }
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_for_count_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_for_count_by_thread4_2nd_is_zero ? a_for_count_by_thread4_2nd[thread * 2] : count) : a_for_count_by_thread4_2nd[thread * 2]) : a_for_count_by_thread4_2nd[thread * 2 + 1];
    a_for_apart_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_for_count_by_thread4_2nd_is_zero ? a_for_apart_by_thread4_3rd[thread * 2] : a_for_apart_by_thread4_3rd[thread * 2] + apart * (a_for_count_by_thread4_2nd[thread * 2 + 1] / count)) : a_for_apart_by_thread4_3rd[thread * 2]) : a_for_apart_by_thread4_3rd[thread * 2 + 1];
    a_by_thread2_4th[thread] = chosen;
  }
  bool a_of_block_1st;
  float a_for_count_of_block_2nd;
  float a_for_apart_of_block_3rd;
  float a_of_block_4th;
  a_of_block_1st = false;
  a_for_count_of_block_2nd = 0.0f;
  a_for_apart_of_block_3rd = 0.0f;
  a_of_block_4th = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_of_block_1st = a_of_block_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    const bool a_for_count_by_thread2_2nd_is_zero = a_for_count_by_thread2_2nd[i_b] == 0.0f;
    const float count = a_for_count_of_block_2nd + a_for_count_by_thread2_2nd[i_b];
    const float apart = a_for_apart_by_thread2_3rd[i_b] - a_for_apart_of_block_3rd;
    float chosen;
    if (this_a_of_block_1st) {
      if (this_a_by_thread2_1st) {
        if (a_for_count_by_thread2_2nd_is_zero) {
          chosen = a_of_block_4th;
        } else {
          chosen = a_of_block_4th + a_by_thread2_4th[i_b] + apart * apart * (a_for_count_of_block_2nd * a_for_count_by_thread2_2nd[i_b] / count);
        }
      } else {
        chosen = a_of_block_4th;
      }
    } else {
      chosen = a_by_thread2_4th[i_b];
    }
    a_of_block_1st = this_a_of_block_1st ? (this_a_by_thread2_1st ? true : a_of_block_1st) : a_by_thread2_1st[i_b];
    a_for_count_of_block_2nd = this_a_of_block_1st ? (this_a_by_thread2_1st ? (a_for_count_by_thread2_2nd_is_zero ? a_for_count_of_block_2nd : count) : a_for_count_of_block_2nd) : a_for_count_by_thread2_2nd[i_b];
    a_for_apart_of_block_3rd = this_a_of_block_1st ? (this_a_by_thread2_1st ? (a_for_count_by_thread2_2nd_is_zero ? a_for_apart_of_block_3rd : a_for_apart_of_block_3rd + apart * (a_for_count_by_thread2_2nd[i_b] / count)) : a_for_apart_of_block_3rd) : a_for_apart_by_thread2_3rd[i_b];
    a_of_block_4th = chosen;
  }
  if (threadIdx.x < 1) {
    a_by_block_1st[n_block] = a_of_block_1st;
    a_2nd[n_block] = a_for_count_of_block_2nd;
    a_3rd[n_block] = a_for_apart_of_block_3rd;
    a_by_block_4th[n_block] = a_of_block_4th;
  }
}

extern "C" __global__ void __launch_bounds__(256) moments_1(
    const bool* __restrict__ a_by_block_1st,
    const float* __restrict__ a_2nd,
    const float* __restrict__ a_3rd,
    const float* __restrict__ a_by_block_4th,
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
  const int thread = threadIdx.x;
  bool a_of_thread_1st;
  float a_of_thread_2nd;
  float a_of_thread_3rd;
  float a_of_thread_4th;
  a_of_thread_1st = false;
  a_of_thread_2nd = 0.0f;
  a_of_thread_3rd = 0.0f;
  a_of_thread_4th = 0.0f;
  for (int i_b = 0; i_b < (N + 2047) / 524288 + 1; i_b++) {
    const int at_i_b = thread * ((N + 2047) / 524288) + thread + i_b;
    const bool padded_a_1st = at_i_b < (N + 2047) / 2048 ? a_by_block_1st[at_i_b] : false;
    const float padded_a_2nd = at_i_b < (N + 2047) / 2048 ? a_2nd[at_i_b] : 0.0f;
    const float padded_a_3rd = at_i_b < (N + 2047) / 2048 ? a_3rd[at_i_b] : 0.0f;
    const float padded_a_4th = at_i_b < (N + 2047) / 2048 ? a_by_block_4th[at_i_b] : 0.0f;
    const bool this_a_of_thread_1st = a_of_thread_1st;
    const bool padded_a_2nd_is_zero = padded_a_2nd == 0.0f;
    const float count_from_a_of_thread = a_of_thread_2nd + padded_a_2nd;
    const float apart_from_padded_a_3rd = padded_a_3rd - a_of_thread_3rd;
    float chosen_from_a_of_thread;
    if (this_a_of_thread_1st) {
      if (padded_a_1st) {
        if (padded_a_2nd_is_zero) {
          chosen_from_a_of_thread = a_of_thread_4th;
        } else {
          chosen_from_a_of_thread = a_of_thread_4th + padded_a_4th + apart_from_padded_a_3rd * apart_from_padded_a_3rd * (a_of_thread_2nd * padded_a_2nd / count_from_a_of_thread);
        }
      } else {
        chosen_from_a_of_thread = a_of_thread_4th;
      }
    } else {
      chosen_from_a_of_thread = padded_a_4th;
    }
    a_of_thread_1st = this_a_of_thread_1st ? (padded_a_1st ? true : a_of_thread_1st) : padded_a_1st;
    a_of_thread_2nd = this_a_of_thread_1st ? (padded_a_1st ? (padded_a_2nd_is_zero ? a_of_thread_2nd : count_from_a_of_thread) : a_of_thread_2nd) : padded_a_2nd;
    a_of_thread_3rd = this_a_of_thread_1st ? (padded_a_1st ? (padded_a_2nd_is_zero ? a_of_thread_3rd : a_of_thread_3rd + apart_from_padded_a_3rd * (padded_a_2nd / count_from_a_of_thread)) : a_of_thread_3rd) : padded_a_3rd;
    a_of_thread_4th = chosen_from_a_of_thread;
  }
  a_by_thread256_1st[thread] = a_of_thread_1st;
  a_by_thread256_2nd[thread] = a_of_thread_2nd;
  a_by_thread256_3rd[thread] = a_of_thread_3rd;
  a_by_thread256_4th[thread] = a_of_thread_4th;
  __syncthreads();
  if (threadIdx.x < 128) {
    const bool left_a_by_thread256_1st = a_by_thread256_1st[thread * 2];
    const bool right_a_by_thread256_1st = a_by_thread256_1st[thread * 2 + 1];
    const bool a_by_thread256_2nd_is_zero = a_by_thread256_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread256 = a_by_thread256_2nd[thread * 2] + a_by_thread256_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread256 = a_by_thread256_3rd[thread * 2 + 1] - a_by_thread256_3rd[thread * 2];
    float chosen_from_a_by_thread256;
    if (left_a_by_thread256_1st) {
      if (right_a_by_thread256_1st) {
        if (a_by_thread256_2nd_is_zero) {
          chosen_from_a_by_thread256 = a_by_thread256_4th[thread * 2];
        } else {
          chosen_from_a_by_thread256 = a_by_thread256_4th[thread * 2] + a_by_thread256_4th[thread * 2 + 1] + apart_from_a_by_thread256 * apart_from_a_by_thread256 * (a_by_thread256_2nd[thread * 2] * a_by_thread256_2nd[thread * 2 + 1] / count_from_a_by_thread256);
        }
      } else {
        chosen_from_a_by_thread256 = a_by_thread256_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread256 = a_by_thread256_4th[thread * 2 + 1];
    }
    a_by_thread128_1st[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? true : a_by_thread256_1st[thread * 2]) : a_by_thread256_1st[thread * 2 + 1];
    a_by_thread128_2nd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_zero ? a_by_thread256_2nd[thread * 2] : count_from_a_by_thread256) : a_by_thread256_2nd[thread * 2]) : a_by_thread256_2nd[thread * 2 + 1];
    a_by_thread128_3rd[thread] = left_a_by_thread256_1st ? (right_a_by_thread256_1st ? (a_by_thread256_2nd_is_zero ? a_by_thread256_3rd[thread * 2] : a_by_thread256_3rd[thread * 2] + apart_from_a_by_thread256 * (a_by_thread256_2nd[thread * 2 + 1] / count_from_a_by_thread256)) : a_by_thread256_3rd[thread * 2]) : a_by_thread256_3rd[thread * 2 + 1];
    a_by_thread128_4th[thread] = chosen_from_a_by_thread256;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    const bool left_a_by_thread128_1st = a_by_thread128_1st[thread * 2];
    const bool right_a_by_thread128_1st = a_by_thread128_1st[thread * 2 + 1];
    const bool a_by_thread128_2nd_is_zero = a_by_thread128_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread128 = a_by_thread128_2nd[thread * 2] + a_by_thread128_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread128 = a_by_thread128_3rd[thread * 2 + 1] - a_by_thread128_3rd[thread * 2];
    float chosen_from_a_by_thread128;
    if (left_a_by_thread128_1st) {
      if (right_a_by_thread128_1st) {
        if (a_by_thread128_2nd_is_zero) {
          chosen_from_a_by_thread128 = a_by_thread128_4th[thread * 2];
        } else {
          chosen_from_a_by_thread128 = a_by_thread128_4th[thread * 2] + a_by_thread128_4th[thread * 2 + 1] + apart_from_a_by_thread128 * apart_from_a_by_thread128 * (a_by_thread128_2nd[thread * 2] * a_by_thread128_2nd[thread * 2 + 1] / count_from_a_by_thread128);
        }
      } else {
        chosen_from_a_by_thread128 = a_by_thread128_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread128 = a_by_thread128_4th[thread * 2 + 1];
    }
    a_by_thread64_1st[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? true : a_by_thread128_1st[thread * 2]) : a_by_thread128_1st[thread * 2 + 1];
    a_by_thread64_2nd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_zero ? a_by_thread128_2nd[thread * 2] : count_from_a_by_thread128) : a_by_thread128_2nd[thread * 2]) : a_by_thread128_2nd[thread * 2 + 1];
    a_by_thread64_3rd[thread] = left_a_by_thread128_1st ? (right_a_by_thread128_1st ? (a_by_thread128_2nd_is_zero ? a_by_thread128_3rd[thread * 2] : a_by_thread128_3rd[thread * 2] + apart_from_a_by_thread128 * (a_by_thread128_2nd[thread * 2 + 1] / count_from_a_by_thread128)) : a_by_thread128_3rd[thread * 2]) : a_by_thread128_3rd[thread * 2 + 1];
    a_by_thread64_4th[thread] = chosen_from_a_by_thread128;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const bool left_a_by_thread64_1st = a_by_thread64_1st[thread * 2];
    const bool right_a_by_thread64_1st = a_by_thread64_1st[thread * 2 + 1];
    const bool a_by_thread64_2nd_is_zero = a_by_thread64_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread64 = a_by_thread64_2nd[thread * 2] + a_by_thread64_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread64 = a_by_thread64_3rd[thread * 2 + 1] - a_by_thread64_3rd[thread * 2];
    float chosen_from_a_by_thread64;
    if (left_a_by_thread64_1st) {
      if (right_a_by_thread64_1st) {
        if (a_by_thread64_2nd_is_zero) {
          chosen_from_a_by_thread64 = a_by_thread64_4th[thread * 2];
        } else {
          chosen_from_a_by_thread64 = a_by_thread64_4th[thread * 2] + a_by_thread64_4th[thread * 2 + 1] + apart_from_a_by_thread64 * apart_from_a_by_thread64 * (a_by_thread64_2nd[thread * 2] * a_by_thread64_2nd[thread * 2 + 1] / count_from_a_by_thread64);
        }
      } else {
        chosen_from_a_by_thread64 = a_by_thread64_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread64 = a_by_thread64_4th[thread * 2 + 1];
    }
    a_by_thread32_1st[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? true : a_by_thread64_1st[thread * 2]) : a_by_thread64_1st[thread * 2 + 1];
    a_by_thread32_2nd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_zero ? a_by_thread64_2nd[thread * 2] : count_from_a_by_thread64) : a_by_thread64_2nd[thread * 2]) : a_by_thread64_2nd[thread * 2 + 1];
    a_by_thread32_3rd[thread] = left_a_by_thread64_1st ? (right_a_by_thread64_1st ? (a_by_thread64_2nd_is_zero ? a_by_thread64_3rd[thread * 2] : a_by_thread64_3rd[thread * 2] + apart_from_a_by_thread64 * (a_by_thread64_2nd[thread * 2 + 1] / count_from_a_by_thread64)) : a_by_thread64_3rd[thread * 2]) : a_by_thread64_3rd[thread * 2 + 1];
    a_by_thread32_4th[thread] = chosen_from_a_by_thread64;
  }
  __syncwarp();
  if (threadIdx.x < 16) {
    const bool left_a_by_thread32_1st = a_by_thread32_1st[thread * 2];
    const bool right_a_by_thread32_1st = a_by_thread32_1st[thread * 2 + 1];
    const bool a_by_thread32_2nd_is_zero = a_by_thread32_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread32 = a_by_thread32_2nd[thread * 2] + a_by_thread32_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread32 = a_by_thread32_3rd[thread * 2 + 1] - a_by_thread32_3rd[thread * 2];
    float chosen_from_a_by_thread32;
    if (left_a_by_thread32_1st) {
      if (right_a_by_thread32_1st) {
        if (a_by_thread32_2nd_is_zero) {
          chosen_from_a_by_thread32 = a_by_thread32_4th[thread * 2];
        } else {
          chosen_from_a_by_thread32 = a_by_thread32_4th[thread * 2] + a_by_thread32_4th[thread * 2 + 1] + apart_from_a_by_thread32 * apart_from_a_by_thread32 * (a_by_thread32_2nd[thread * 2] * a_by_thread32_2nd[thread * 2 + 1] / count_from_a_by_thread32);
        }
      } else {
        chosen_from_a_by_thread32 = a_by_thread32_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread32 = a_by_thread32_4th[thread * 2 + 1];
    }
    a_by_thread16_1st[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? true : a_by_thread32_1st[thread * 2]) : a_by_thread32_1st[thread * 2 + 1];
    a_by_thread16_2nd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_zero ? a_by_thread32_2nd[thread * 2] : count_from_a_by_thread32) : a_by_thread32_2nd[thread * 2]) : a_by_thread32_2nd[thread * 2 + 1];
    a_by_thread16_3rd[thread] = left_a_by_thread32_1st ? (right_a_by_thread32_1st ? (a_by_thread32_2nd_is_zero ? a_by_thread32_3rd[thread * 2] : a_by_thread32_3rd[thread * 2] + apart_from_a_by_thread32 * (a_by_thread32_2nd[thread * 2 + 1] / count_from_a_by_thread32)) : a_by_thread32_3rd[thread * 2]) : a_by_thread32_3rd[thread * 2 + 1];
    a_by_thread16_4th[thread] = chosen_from_a_by_thread32;
  }
  __syncwarp();
  if (threadIdx.x < 8) {
    const bool left_a_by_thread16_1st = a_by_thread16_1st[thread * 2];
    const bool right_a_by_thread16_1st = a_by_thread16_1st[thread * 2 + 1];
    const bool a_by_thread16_2nd_is_zero = a_by_thread16_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread16 = a_by_thread16_2nd[thread * 2] + a_by_thread16_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread16 = a_by_thread16_3rd[thread * 2 + 1] - a_by_thread16_3rd[thread * 2];
    float chosen_from_a_by_thread16;
    if (left_a_by_thread16_1st) {
      if (right_a_by_thread16_1st) {
        if (a_by_thread16_2nd_is_zero) {
          chosen_from_a_by_thread16 = a_by_thread16_4th[thread * 2];
        } else {
          chosen_from_a_by_thread16 = a_by_thread16_4th[thread * 2] + a_by_thread16_4th[thread * 2 + 1] + apart_from_a_by_thread16 * apart_from_a_by_thread16 * (a_by_thread16_2nd[thread * 2] * a_by_thread16_2nd[thread * 2 + 1] / count_from_a_by_thread16);
        }
      } else {
        chosen_from_a_by_thread16 = a_by_thread16_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread16 = a_by_thread16_4th[thread * 2 + 1];
    }
    a_by_thread8_1st[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? true : a_by_thread16_1st[thread * 2]) : a_by_thread16_1st[thread * 2 + 1];
    a_by_thread8_2nd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_zero ? a_by_thread16_2nd[thread * 2] : count_from_a_by_thread16) : a_by_thread16_2nd[thread * 2]) : a_by_thread16_2nd[thread * 2 + 1];
    a_by_thread8_3rd[thread] = left_a_by_thread16_1st ? (right_a_by_thread16_1st ? (a_by_thread16_2nd_is_zero ? a_by_thread16_3rd[thread * 2] : a_by_thread16_3rd[thread * 2] + apart_from_a_by_thread16 * (a_by_thread16_2nd[thread * 2 + 1] / count_from_a_by_thread16)) : a_by_thread16_3rd[thread * 2]) : a_by_thread16_3rd[thread * 2 + 1];
    a_by_thread8_4th[thread] = chosen_from_a_by_thread16;
  }
  __syncwarp();
  if (threadIdx.x < 4) {
    const bool left_a_by_thread8_1st = a_by_thread8_1st[thread * 2];
    const bool right_a_by_thread8_1st = a_by_thread8_1st[thread * 2 + 1];
    const bool a_by_thread8_2nd_is_zero = a_by_thread8_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread8 = a_by_thread8_2nd[thread * 2] + a_by_thread8_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread8 = a_by_thread8_3rd[thread * 2 + 1] - a_by_thread8_3rd[thread * 2];
    float chosen_from_a_by_thread8;
    if (left_a_by_thread8_1st) {
      if (right_a_by_thread8_1st) {
        if (a_by_thread8_2nd_is_zero) {
          chosen_from_a_by_thread8 = a_by_thread8_4th[thread * 2];
        } else {
          chosen_from_a_by_thread8 = a_by_thread8_4th[thread * 2] + a_by_thread8_4th[thread * 2 + 1] + apart_from_a_by_thread8 * apart_from_a_by_thread8 * (a_by_thread8_2nd[thread * 2] * a_by_thread8_2nd[thread * 2 + 1] / count_from_a_by_thread8);
        }
      } else {
        chosen_from_a_by_thread8 = a_by_thread8_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread8 = a_by_thread8_4th[thread * 2 + 1];
    }
    a_by_thread4_1st[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? true : a_by_thread8_1st[thread * 2]) : a_by_thread8_1st[thread * 2 + 1];
    a_by_thread4_2nd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_zero ? a_by_thread8_2nd[thread * 2] : count_from_a_by_thread8) : a_by_thread8_2nd[thread * 2]) : a_by_thread8_2nd[thread * 2 + 1];
    a_by_thread4_3rd[thread] = left_a_by_thread8_1st ? (right_a_by_thread8_1st ? (a_by_thread8_2nd_is_zero ? a_by_thread8_3rd[thread * 2] : a_by_thread8_3rd[thread * 2] + apart_from_a_by_thread8 * (a_by_thread8_2nd[thread * 2 + 1] / count_from_a_by_thread8)) : a_by_thread8_3rd[thread * 2]) : a_by_thread8_3rd[thread * 2 + 1];
    a_by_thread4_4th[thread] = chosen_from_a_by_thread8;
  }
  __syncwarp();
  if (threadIdx.x < 2) {
    const bool left_a_by_thread4_1st = a_by_thread4_1st[thread * 2];
    const bool right_a_by_thread4_1st = a_by_thread4_1st[thread * 2 + 1];
    const bool a_by_thread4_2nd_is_zero = a_by_thread4_2nd[thread * 2 + 1] == 0.0f;
    const float count_from_a_by_thread4 = a_by_thread4_2nd[thread * 2] + a_by_thread4_2nd[thread * 2 + 1];
    const float apart_from_a_by_thread4 = a_by_thread4_3rd[thread * 2 + 1] - a_by_thread4_3rd[thread * 2];
    float chosen_from_a_by_thread4;
    if (left_a_by_thread4_1st) {
      if (right_a_by_thread4_1st) {
        if (a_by_thread4_2nd_is_zero) {
          chosen_from_a_by_thread4 = a_by_thread4_4th[thread * 2];
        } else {
          chosen_from_a_by_thread4 = a_by_thread4_4th[thread * 2] + a_by_thread4_4th[thread * 2 + 1] + apart_from_a_by_thread4 * apart_from_a_by_thread4 * (a_by_thread4_2nd[thread * 2] * a_by_thread4_2nd[thread * 2 + 1] / count_from_a_by_thread4);
        }
      } else {
        chosen_from_a_by_thread4 = a_by_thread4_4th[thread * 2];
      }
    } else {
      chosen_from_a_by_thread4 = a_by_thread4_4th[thread * 2 + 1];
    }
    a_by_thread2_1st[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? true : a_by_thread4_1st[thread * 2]) : a_by_thread4_1st[thread * 2 + 1];
    a_by_thread2_2nd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_zero ? a_by_thread4_2nd[thread * 2] : count_from_a_by_thread4) : a_by_thread4_2nd[thread * 2]) : a_by_thread4_2nd[thread * 2 + 1];
    a_by_thread2_3rd[thread] = left_a_by_thread4_1st ? (right_a_by_thread4_1st ? (a_by_thread4_2nd_is_zero ? a_by_thread4_3rd[thread * 2] : a_by_thread4_3rd[thread * 2] + apart_from_a_by_thread4 * (a_by_thread4_2nd[thread * 2 + 1] / count_from_a_by_thread4)) : a_by_thread4_3rd[thread * 2]) : a_by_thread4_3rd[thread * 2 + 1];
    a_by_thread2_4th[thread] = chosen_from_a_by_thread4;
  }
  bool a_from_count_1st;
  float a_from_count_2nd;
  float a_from_count_3rd;
  float a_from_count_4th;
  a_from_count_1st = false;
  a_from_count_2nd = 0.0f;
  a_from_count_3rd = 0.0f;
  a_from_count_4th = 0.0f;
  __syncthreads();
  for (int i_b = 0; i_b < 2; i_b++) {
    const bool this_a_from_count_1st = a_from_count_1st;
    const bool this_a_by_thread2_1st = a_by_thread2_1st[i_b];
    const bool a_by_thread2_2nd_is_zero = a_by_thread2_2nd[i_b] == 0.0f;
    const float count_from_a_by_thread2 = a_from_count_2nd + a_by_thread2_2nd[i_b];
    const float apart_from_a_by_thread2 = a_by_thread2_3rd[i_b] - a_from_count_3rd;
    float chosen_from_a_by_thread2;
    if (this_a_from_count_1st) {
      if (this_a_by_thread2_1st) {
        if (a_by_thread2_2nd_is_zero) {
          chosen_from_a_by_thread2 = a_from_count_4th;
        } else {
          chosen_from_a_by_thread2 = a_from_count_4th + a_by_thread2_4th[i_b] + apart_from_a_by_thread2 * apart_from_a_by_thread2 * (a_from_count_2nd * a_by_thread2_2nd[i_b] / count_from_a_by_thread2);
        }
      } else {
        chosen_from_a_by_thread2 = a_from_count_4th;
      }
    } else {
      chosen_from_a_by_thread2 = a_by_thread2_4th[i_b];
    }
    a_from_count_1st = this_a_from_count_1st ? (this_a_by_thread2_1st ? true : a_from_count_1st) : a_by_thread2_1st[i_b];
    a_from_count_2nd = this_a_from_count_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_zero ? a_from_count_2nd : count_from_a_by_thread2) : a_from_count_2nd) : a_by_thread2_2nd[i_b];
    a_from_count_3rd = this_a_from_count_1st ? (this_a_by_thread2_1st ? (a_by_thread2_2nd_is_zero ? a_from_count_3rd : a_from_count_3rd + apart_from_a_by_thread2 * (a_by_thread2_2nd[i_b] / count_from_a_by_thread2)) : a_from_count_3rd) : a_by_thread2_3rd[i_b];
    a_from_count_4th = chosen_from_a_by_thread2;
  }
  const bool a_from_count_2nd_is_zero = a_from_count_2nd == 0.0f;
  const float count = 0.0f + a_from_count_2nd;
  const float apart = a_from_count_3rd - 0.0f;
  float chosen;
  if (a_from_count_1st) {
    if (a_from_count_2nd_is_zero) {
      chosen = 0.0f;
    } else {
      chosen = 0.0f + a_from_count_4th + apart * apart * (0.0f * a_from_count_2nd / count);
    }
  } else {
    chosen = 0.0f;
  }
  if (threadIdx.x < 1) {
    output_1st[0] = a_from_count_1st ? (a_from_count_2nd_is_zero ? 0.0f : count) : 0.0f;
    output_2nd[0] = a_from_count_1st ? (a_from_count_2nd_is_zero ? 0.0f : 0.0f + apart * (a_from_count_2nd / count)) : 0.0f;
    output_3rd[0] = chosen;
  }
}
