// cosine_similarity(as: M.D.f32, bs: N.D.f32) -> M.N.f32 for all M, D, N
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) cosine_similarity(
    const float* __restrict__ bs,
    float* __restrict__ numbers,
    const int D
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  const int n_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int d_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int d_strip = 0; d_strip < (D + 255) / 256; d_strip++) {
    float chosen;
    if (d_warp * 32 + lane + d_strip * 256 < D) {
      const float this_bs = bs[n_block * D + d_warp * 32 + lane + d_strip * 256];
      chosen = this_bs * this_bs;
    } else {
      chosen = 0.0f;
    }
    sum_by_lane32 = sum_by_lane32 + chosen;
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums[d_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums[lane] + sums[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    numbers[n_block] = sqrtf(sum_by_warp1);
  }
}

extern "C" __global__ void __launch_bounds__(256) cosine_similarity_1(
    const float* __restrict__ as,
    float* __restrict__ packed,
    const int D
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  const int m_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int d_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int d_strip = 0; d_strip < (D + 255) / 256; d_strip++) {
    float chosen;
    if (d_warp * 32 + lane + d_strip * 256 < D) {
      const float this_as = as[m_block * D + d_warp * 32 + lane + d_strip * 256];
      chosen = this_as * this_as;
    } else {
      chosen = 0.0f;
    }
    sum_by_lane32 = sum_by_lane32 + chosen;
  }
  const float other_sum_by_lane32 = __shfl_sync(0xffffffff, sum_by_lane32, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = sum_by_lane32 + other_sum_by_lane32;
  }
  const float other_sum_by_lane16 = __shfl_sync(0xffffffff, sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = sum_by_lane16 + other_sum_by_lane16;
  }
  const float other_sum_by_lane8 = __shfl_sync(0xffffffff, sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = sum_by_lane8 + other_sum_by_lane8;
  }
  const float other_sum_by_lane4 = __shfl_sync(0xffffffff, sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = sum_by_lane4 + other_sum_by_lane4;
  }
  const float other0_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 0);
  const float other1_sum_by_lane2 = __shfl_sync(0xffffffff, sum_by_lane2, 1);
  sum_by_lane1 = other0_sum_by_lane2 + other1_sum_by_lane2;
  if (lane < 1) {
    sums[d_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = sums[lane] + sums[lane + 4];
  }
  const float other_sum_by_warp4 = __shfl_sync(0xffffffff, sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = sum_by_warp4 + other_sum_by_warp4;
  }
  const float other0_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 0);
  const float other1_sum_by_warp2 = __shfl_sync(0xffffffff, sum_by_warp2, 1);
  sum_by_warp1 = other0_sum_by_warp2 + other1_sum_by_warp2;
  if (threadIdx.x < 1) {
    packed[m_block] = sqrtf(sum_by_warp1);
  }
}

extern "C" __global__ void __launch_bounds__(256) cosine_similarity_2(
    const float* __restrict__ as,
    const float* __restrict__ bs,
    const float* __restrict__ numbers,
    const float* __restrict__ packed,
    float* __restrict__ output,
    const int M,
    const int D,
    const int N
) {
  __shared__ __align__(16) float bs_tile[1024];
  __shared__ __align__(16) float as_tile[1024];
  for (int m_block = blockIdx.y; m_block < (M + 63) / 64; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    float acc[16];
    #pragma unroll
    for (int m = 0; m < 4; m++) {
      #pragma unroll
      for (int n = 0; n < 4; n++) {
        acc[m * 4 + n] = 0.0f;
      }
    }
    for (int d_step = 0; d_step < (D + 15) / 16; d_step++) {
      const int n_thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      __syncthreads();
      const int at_thread = thread / 4 * 16 + D;
      const int n_n_thread_y_min = min_i32(N - 1, (n_block * 16 + n_thread_y) * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&bs_tile[n_thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + d_step * 16 < at_thread ? bs[n_n_thread_y_min * D - thread / 4 * 16 + thread * 4 + d_step * 16] : 0.0f, thread * 4 + d_step * 16 + 1 < at_thread ? bs[n_n_thread_y_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 1] : 0.0f, thread * 4 + d_step * 16 + 2 < at_thread ? bs[n_n_thread_y_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 2] : 0.0f, thread * 4 + d_step * 16 + 3 < at_thread ? bs[n_n_thread_y_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 3] : 0.0f}};
      const int m_thread = threadIdx.y;
      const int m_min = min_i32(M - 1, m_block * 64 + m_thread * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&as_tile[m_thread * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + d_step * 16 < at_thread ? as[m_min * D - thread / 4 * 16 + thread * 4 + d_step * 16] : 0.0f, thread * 4 + d_step * 16 + 1 < at_thread ? as[m_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 1] : 0.0f, thread * 4 + d_step * 16 + 2 < at_thread ? as[m_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 2] : 0.0f, thread * 4 + d_step * 16 + 3 < at_thread ? as[m_min * D - thread / 4 * 16 + thread * 4 + d_step * 16 + 3] : 0.0f}};
      const int n_thread_x = threadIdx.x;
      __syncthreads();
      for (int i = 0; i < 16; i++) {
        float bs_registers[4];
        #pragma unroll
        for (int n = 0; n < 4; n++) {
          bs_registers[n] = bs_tile[n_thread_x * 64 + n * 16 + i];
        }
        float as_registers[4];
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          as_registers[m] = as_tile[m_thread * 64 + m * 16 + i];
        }
        #pragma unroll
        for (int m = 0; m < 4; m++) {
          #pragma unroll
          for (int n = 0; n < 4; n++) {
            acc[m * 4 + n] = fmaf(as_registers[m], bs_registers[n], acc[m * 4 + n]);
          }
        }
      }
    }
    const int m_thread = threadIdx.y;
    const int n_thread_x = threadIdx.x;
    for (int m = 0; m < min_i32(max_i32(0, M - m_block * 64 - m_thread * 4), 4); m++) {
      for (int n = 0; n < min_i32(max_i32(0, N - n_block * 64 - n_thread_x * 4), 4); n++) {
        output[(m_block * 64 + m_thread * 4 + m) * N + n_block * 64 + n_thread_x * 4 + n] = acc[m * 4 + n] / (packed[m_block * 64 + m_thread * 4 + m] * numbers[n_block * 64 + n_thread_x * 4 + n]);
      }
    }
  }
}
