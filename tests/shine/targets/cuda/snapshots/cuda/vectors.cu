// vectors(alpha: f32, x: (n + 1).f32) -> n.f32 for all n
// for sm_80
template <class T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) vec {
  T v[N];
};

__device__ __forceinline__ vec<float, 4> broadcast_f32x4(float x) { return vec<float, 4>{{x, x, x, x}}; }

__device__ __forceinline__ vec<float, 4> fma_f32x4(vec<float, 4> a, vec<float, 4> b, vec<float, 4> c) {
  vec<float, 4> r;
  #pragma unroll
  for (int l = 0; l < 4; l++) r.v[l] = fmaf(a.v[l], b.v[l], c.v[l]);
  return r;
}

__device__ __forceinline__ float max_f32(float a, float b) { float r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }

__device__ __forceinline__ vec<float, 4> max_f32x4(vec<float, 4> a, vec<float, 4> b) {
  vec<float, 4> r;
  #pragma unroll
  for (int l = 0; l < 4; l++) r.v[l] = max_f32(a.v[l], b.v[l]);
  return r;
}

extern "C" __global__ void __launch_bounds__(64) vectors(
    const float* __restrict__ x,
    float* __restrict__ output,
    const float alpha,
    const int n
) {
  for (int i_n = blockIdx.x * 64 + threadIdx.x; i_n < n / 4; i_n += gridDim.x * 64) {
    float kept[4];
    {
      const vec<float, 4> all_lanes = fma_f32x4(broadcast_f32x4(alpha), *reinterpret_cast<const vec<float, 4>*>(&x[i_n * 4]), vec<float, 4>{{x[i_n * 4 + 1], x[i_n * 4 + 2], x[i_n * 4 + 3], x[i_n * 4 + 4]}});
      kept[0] = all_lanes.v[0];
      kept[1] = all_lanes.v[1];
      kept[2] = all_lanes.v[2];
      kept[3] = all_lanes.v[3];
    }
    *reinterpret_cast<vec<float, 4>*>(&output[i_n * 4]) = max_f32x4(vec<float, 4>{{kept[0], kept[1], kept[2], kept[3]}}, *reinterpret_cast<const vec<float, 4>*>(&x[i_n * 4]));
  }
}
