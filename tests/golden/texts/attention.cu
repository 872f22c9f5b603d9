// attention(scale: f32, queries: 8.4.f32, keys: 8.4.f32, values: 8.4.f32) -> 8.4.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

extern "C" __global__ void __launch_bounds__(256) attention(
    const float* __restrict__ queries,
    const float* __restrict__ keys,
    float* __restrict__ packed,
    const float scale
) {
  __shared__ __align__(16) float keys_tile[1024];
  __shared__ __align__(16) float queries_tile[1024];
  float acc[16];
  #pragma unroll
  for (int i_query = 0; i_query < 4; i_query++) {
    #pragma unroll
    for (int i_key = 0; i_key < 4; i_key++) {
      acc[i_query * 4 + i_key] = 0.0f;
    }
  }
  const int keys_row_thread_y = threadIdx.y;
  const int thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&keys_tile[keys_row_thread_y * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&keys[thread * 4 - thread / 4 * 16 + min_i32(keys_row_thread_y * 4 + thread / 4, 7) * 4]) : broadcast_f32x4(0.0f);
  const int queries_row_thread = threadIdx.y;
  *reinterpret_cast<vec<float, 4>*>(&queries_tile[queries_row_thread * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&queries[thread * 4 - thread / 4 * 16 + min_i32(queries_row_thread * 4 + thread / 4, 7) * 4]) : broadcast_f32x4(0.0f);
  const int keys_row_thread_x = threadIdx.x;
  __syncthreads();
  for (int i = 0; i < 16; i++) {
    float keys_registers[4];
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      keys_registers[j] = keys_tile[keys_row_thread_x * 64 + j * 16 + i];
    }
    float queries_registers[4];
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      queries_registers[j] = queries_tile[queries_row_thread * 64 + j * 16 + i];
    }
    #pragma unroll
    for (int j = 0; j < 4; j++) {
      #pragma unroll
      for (int k = 0; k < 4; k++) {
        acc[j * 4 + k] = fmaf(queries_registers[j], keys_registers[k], acc[j * 4 + k]);
      }
    }
  }
  const int thread_y = threadIdx.y;
  for (int k = 0; k < min_i32(max_i32(0, 8 - thread_y * 4), 4); k++) {
    for (int l = 0; l < min_i32(max_i32(0, 8 - thread * 4), 4); l++) {
      packed[thread_y * 32 + thread * 4 + k * 8 + l] = scale * acc[k * 4 + l];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) attention_1(
    float* __restrict__ weights,
    const float* __restrict__ packed
) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) float top_by_warp8[8];
  __shared__ __align__(16) float total_by_warp8[8];
  const int block = blockIdx.x;
  float top_by_warp1;
  float top_by_warp2;
  float top_by_warp4;
  float top_by_lane1;
  float top_by_lane2;
  float top_by_lane4;
  float top_by_lane8;
  float top_by_lane16;
  float top_by_lane32;
  top_by_lane32 = -__int_as_float(0x7f800000);
  top_by_lane32 = max_f32(top_by_lane32, warp * 32 + lane < 8 ? packed[warp * 32 + block * 8 + lane] : -__int_as_float(0x7f800000));
  const float other_top_by_lane32 = __shfl_sync(0xffffffff, top_by_lane32, lane + 16);
  if (lane < 16) {
    top_by_lane16 = max_f32(top_by_lane32, other_top_by_lane32);
  }
  const float other_top_by_lane16 = __shfl_sync(0xffffffff, top_by_lane16, lane + 8);
  if (lane < 8) {
    top_by_lane8 = max_f32(top_by_lane16, other_top_by_lane16);
  }
  const float other_top_by_lane8 = __shfl_sync(0xffffffff, top_by_lane8, lane + 4);
  if (lane < 4) {
    top_by_lane4 = max_f32(top_by_lane8, other_top_by_lane8);
  }
  const float other_top_by_lane4 = __shfl_sync(0xffffffff, top_by_lane4, lane + 2);
  if (lane < 2) {
    top_by_lane2 = max_f32(top_by_lane4, other_top_by_lane4);
  }
  const float other0_top_by_lane2 = __shfl_sync(0xffffffff, top_by_lane2, 0);
  const float other1_top_by_lane2 = __shfl_sync(0xffffffff, top_by_lane2, 1);
  top_by_lane1 = max_f32(other0_top_by_lane2, other1_top_by_lane2);
  if (lane < 1) {
    top_by_warp8[warp] = top_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    top_by_warp4 = max_f32(top_by_warp8[lane], top_by_warp8[lane + 4]);
  }
  const float other_top_by_warp4 = __shfl_sync(0xffffffff, top_by_warp4, lane + 2);
  if (lane < 2) {
    top_by_warp2 = max_f32(top_by_warp4, other_top_by_warp4);
  }
  const float other0_top_by_warp2 = __shfl_sync(0xffffffff, top_by_warp2, 0);
  const float other1_top_by_warp2 = __shfl_sync(0xffffffff, top_by_warp2, 1);
  top_by_warp1 = max_f32(other0_top_by_warp2, other1_top_by_warp2);
  float total_by_warp1;
  float total_by_warp2;
  float total_by_warp4;
  float total_by_lane1;
  float total_by_lane2;
  float total_by_lane4;
  float total_by_lane8;
  float total_by_lane16;
  float total_by_lane32;
  total_by_lane32 = 0.0f;
  total_by_lane32 = total_by_lane32 + (warp * 32 + lane < 8 ? expf(packed[warp * 32 + block * 8 + lane] - top_by_warp1) : 0.0f);
  const float other_total_by_lane32 = __shfl_sync(0xffffffff, total_by_lane32, lane + 16);
  if (lane < 16) {
    total_by_lane16 = total_by_lane32 + other_total_by_lane32;
  }
  const float other_total_by_lane16 = __shfl_sync(0xffffffff, total_by_lane16, lane + 8);
  if (lane < 8) {
    total_by_lane8 = total_by_lane16 + other_total_by_lane16;
  }
  const float other_total_by_lane8 = __shfl_sync(0xffffffff, total_by_lane8, lane + 4);
  if (lane < 4) {
    total_by_lane4 = total_by_lane8 + other_total_by_lane8;
  }
  const float other_total_by_lane4 = __shfl_sync(0xffffffff, total_by_lane4, lane + 2);
  if (lane < 2) {
    total_by_lane2 = total_by_lane4 + other_total_by_lane4;
  }
  const float other0_total_by_lane2 = __shfl_sync(0xffffffff, total_by_lane2, 0);
  const float other1_total_by_lane2 = __shfl_sync(0xffffffff, total_by_lane2, 1);
  total_by_lane1 = other0_total_by_lane2 + other1_total_by_lane2;
  if (lane < 1) {
    total_by_warp8[warp] = total_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    total_by_warp4 = total_by_warp8[lane] + total_by_warp8[lane + 4];
  }
  const float other_total_by_warp4 = __shfl_sync(0xffffffff, total_by_warp4, lane + 2);
  if (lane < 2) {
    total_by_warp2 = total_by_warp4 + other_total_by_warp4;
  }
  const float other0_total_by_warp2 = __shfl_sync(0xffffffff, total_by_warp2, 0);
  const float other1_total_by_warp2 = __shfl_sync(0xffffffff, total_by_warp2, 1);
  total_by_warp1 = other0_total_by_warp2 + other1_total_by_warp2;
  if (threadIdx.x < 8) {
    const int thread = threadIdx.x;
    weights[block * 8 + thread] = expf(packed[block * 8 + thread] - top_by_warp1) / total_by_warp1;
  }
}

extern "C" __global__ void __launch_bounds__(256) attention_2(
    const float* __restrict__ values,
    const float* __restrict__ weights,
    float* __restrict__ output
) {
  __shared__ __align__(16) float values_tile[1024];
  __shared__ __align__(16) float left16[1024];
  float acc[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc[row * 4 + column] = 0.0f;
    }
  }
  const int values_row_thread_y = threadIdx.y;
  const int values_row_thread_x = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&values_tile[values_row_thread_y * 64 + values_row_thread_x * 4]) = values_row_thread_y < 8 ? vec<float, 4>{{values[values_row_thread_y * 4 + min_i32(values_row_thread_x * 4, 3)], values[values_row_thread_y * 4 + min_i32(values_row_thread_x * 4 + 1, 3)], values[values_row_thread_y * 4 + min_i32(values_row_thread_x * 4 + 2, 3)], values[values_row_thread_y * 4 + 3]}} : broadcast_f32x4(0.0f);
  const int thread_y = threadIdx.y;
  const int thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&left16[thread_y * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 8 ? *reinterpret_cast<const vec<float, 4>*>(&weights[min_i32(thread_y * 4 + thread / 4, 7) * 8 - thread / 4 * 16 + thread * 4]) : broadcast_f32x4(0.0f);
  __syncthreads();
  for (int values_row = 0; values_row < 16; values_row++) {
    float values_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      values_registers[column] = values_tile[values_row_thread_x * 4 + values_row * 64 + column];
    }
    float left1[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      left1[row] = left16[thread_y * 64 + row * 16 + values_row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(left1[row], values_registers[column], acc[row * 4 + column]);
      }
    }
  }
  const int row_thread_y = threadIdx.y;
  const int row_thread_x = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 8 - row_thread_y * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 4 - row_thread_x * 4), 4); column++) {
      output[row_thread_y * 16 + row_thread_x * 4 + row * 4 + column] = acc[row * 4 + column];
    }
  }
}
