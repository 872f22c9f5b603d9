// covariance(share: f32, table: N.D.f32) -> D.D.f32 for all N, D
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) covariance(
    const float* __restrict__ table,
    float* __restrict__ columns,
    const float share,
    const int N,
    const int D
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float sums[8];
  const int d_block = blockIdx.x;
  float sum_by_warp1;
  float sum_by_warp2;
  float sum_by_warp4;
  const int n_warp = threadIdx.x / 32;
  float sum_by_lane1;
  float sum_by_lane2;
  float sum_by_lane4;
  float sum_by_lane8;
  float sum_by_lane16;
  float sum_by_lane32;
  sum_by_lane32 = 0.0f;
  for (int n_strip = 0; n_strip < (N + 255) / 256; n_strip++) {
    sum_by_lane32 = sum_by_lane32 + (n_warp * 32 + lane + n_strip * 256 < N ? table[(n_warp * 32 + lane + n_strip * 256) * D + d_block] : 0.0f);
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
    sums[n_warp] = sum_by_lane1;
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
  const float mean = share * sum_by_warp1;
  for (int n_thread = threadIdx.x; n_thread < N; n_thread += 256) {
    columns[d_block * N + n_thread] = table[n_thread * D + d_block] - mean;
  }
}

extern "C" __global__ void __launch_bounds__(256) covariance_1(
    const float* __restrict__ columns,
    float* __restrict__ output,
    const float share,
    const int N,
    const int D
) {
  __shared__ __align__(16) float right16[1024];
  __shared__ __align__(16) float left16[1024];
  for (int d_row_block = blockIdx.y; d_row_block < (D + 63) / 64; d_row_block += gridDim.y) {
    const int d_column_block = blockIdx.x;
    float acc[16];
    #pragma unroll
    for (int d_row = 0; d_row < 4; d_row++) {
      #pragma unroll
      for (int d_column = 0; d_column < 4; d_column++) {
        acc[d_row * 4 + d_column] = 0.0f;
      }
    }
    for (int i = 0; i < (N + 15) / 16; i++) {
      const int thread_y = threadIdx.y;
      const int thread = threadIdx.x;
      __syncthreads();
      const int at_thread = thread / 4 * 16 + N;
      const int d_column_thread_y_min = min_i32(D - 1, (d_column_block * 16 + thread_y) * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&right16[thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + i * 16 < at_thread ? columns[d_column_thread_y_min * N - thread / 4 * 16 + thread * 4 + i * 16] : 0.0f, thread * 4 + i * 16 + 1 < at_thread ? columns[d_column_thread_y_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 1] : 0.0f, thread * 4 + i * 16 + 2 < at_thread ? columns[d_column_thread_y_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 2] : 0.0f, thread * 4 + i * 16 + 3 < at_thread ? columns[d_column_thread_y_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 3] : 0.0f}};
      const int thread_y_d_row_min = min_i32(D - 1, d_row_block * 64 + thread_y * 4 + thread / 4);
      *reinterpret_cast<vec<float, 4>*>(&left16[thread_y * 64 + thread * 4]) = vec<float, 4>{{thread * 4 + i * 16 < at_thread ? columns[thread_y_d_row_min * N - thread / 4 * 16 + thread * 4 + i * 16] : 0.0f, thread * 4 + i * 16 + 1 < at_thread ? columns[thread_y_d_row_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 1] : 0.0f, thread * 4 + i * 16 + 2 < at_thread ? columns[thread_y_d_row_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 2] : 0.0f, thread * 4 + i * 16 + 3 < at_thread ? columns[thread_y_d_row_min * N - thread / 4 * 16 + thread * 4 + i * 16 + 3] : 0.0f}};
      __syncthreads();
      for (int l = 0; l < 16; l++) {
        float right1[4];
        #pragma unroll
        for (int d_column = 0; d_column < 4; d_column++) {
          right1[d_column] = right16[thread * 64 + d_column * 16 + l];
        }
        float left1[4];
        #pragma unroll
        for (int d_row = 0; d_row < 4; d_row++) {
          left1[d_row] = left16[thread_y * 64 + d_row * 16 + l];
        }
        #pragma unroll
        for (int d_row = 0; d_row < 4; d_row++) {
          #pragma unroll
          for (int d_column = 0; d_column < 4; d_column++) {
            acc[d_row * 4 + d_column] = fmaf(left1[d_row], right1[d_column], acc[d_row * 4 + d_column]);
          }
        }
      }
    }
    const int d_row_thread = threadIdx.y;
    const int d_column_thread = threadIdx.x;
    for (int d_row = 0; d_row < min_i32(max_i32(0, D - d_row_block * 64 - d_row_thread * 4), 4); d_row++) {
      for (int d_column = 0; d_column < min_i32(max_i32(0, D - d_column_block * 64 - d_column_thread * 4), 4); d_column++) {
        output[(d_row_block * 64 + d_row_thread * 4 + d_row) * D + d_column_block * 64 + d_column_thread * 4 + d_column] = share * acc[d_row * 4 + d_column];
      }
    }
  }
}
