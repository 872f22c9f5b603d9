// batched_mm(as: 8.4.4.f32, bs: 8.4.4.f32) -> 8.4.4.f32
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ int min_i32(int a, int b) { return a < b ? a : b; }

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ int max_i32(int a, int b) { return a > b ? a : b; }

extern "C" __global__ void __launch_bounds__(256) batched_mm(
    const float* __restrict__ as,
    const float* __restrict__ bs,
    float* __restrict__ output
) {
  __shared__ __align__(16) float bs_tile[1024];
  __shared__ __align__(16) float as_tile[1024];
  const int plane_block = blockIdx.z;
  float acc[16];
  #pragma unroll
  for (int row = 0; row < 4; row++) {
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      acc[row * 4 + column] = 0.0f;
    }
  }
  const int bs_row_thread_y = threadIdx.y;
  const int bs_row_thread_x = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&bs_tile[bs_row_thread_y * 64 + bs_row_thread_x * 4]) = bs_row_thread_y < 4 ? vec<float, 4>{{bs[plane_block * 16 + bs_row_thread_y * 4 + min_i32(bs_row_thread_x * 4, 3)], bs[plane_block * 16 + bs_row_thread_y * 4 + min_i32(bs_row_thread_x * 4 + 1, 3)], bs[plane_block * 16 + bs_row_thread_y * 4 + min_i32(bs_row_thread_x * 4 + 2, 3)], bs[plane_block * 16 + bs_row_thread_y * 4 + 3]}} : broadcast_f32x4(0.0f);
  const int as_plane_thread = threadIdx.y;
  const int thread = threadIdx.x;
  *reinterpret_cast<vec<float, 4>*>(&as_tile[as_plane_thread * 64 + thread * 4]) = thread * 4 < thread / 4 * 16 + 4 ? *reinterpret_cast<const vec<float, 4>*>(&as[plane_block * 16 - thread / 4 * 16 + thread * 4 + min_i32(as_plane_thread * 4 + thread / 4, 3) * 4]) : broadcast_f32x4(0.0f);
  __syncthreads();
  for (int bs_row = 0; bs_row < 16; bs_row++) {
    float bs_registers[4];
    #pragma unroll
    for (int column = 0; column < 4; column++) {
      bs_registers[column] = bs_tile[bs_row_thread_x * 4 + bs_row * 64 + column];
    }
    float as_registers[4];
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      as_registers[row] = as_tile[as_plane_thread * 64 + row * 16 + bs_row];
    }
    #pragma unroll
    for (int row = 0; row < 4; row++) {
      #pragma unroll
      for (int column = 0; column < 4; column++) {
        acc[row * 4 + column] = fmaf(as_registers[row], bs_registers[column], acc[row * 4 + column]);
      }
    }
  }
  const int plane_thread = threadIdx.y;
  const int row_thread = threadIdx.x;
  for (int row = 0; row < min_i32(max_i32(0, 4 - plane_thread * 4), 4); row++) {
    for (int column = 0; column < min_i32(max_i32(0, 4 - row_thread * 4), 4); column++) {
      output[plane_block * 16 + plane_thread * 16 + row_thread * 4 + row * 4 + column] = acc[row * 4 + column];
    }
  }
}
