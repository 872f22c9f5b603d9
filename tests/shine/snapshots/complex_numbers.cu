// kernel(xs: N.M.c64, y: M.c64) -> N.c64 for all N, M
// for sm_80
struct alignas(8) c64 {
  float re, im;
};

__device__ __forceinline__ c64 conj_c64(c64 a) { return c64{a.re, -a.im}; }

__device__ __forceinline__ c64 mul_c64(c64 a, c64 b) { return c64{a.re * b.re + -a.im * b.im, a.re * b.im + a.im * b.re}; }

__device__ __forceinline__ c64 add_c64(c64 a, c64 b) { return c64{a.re + b.re, a.im + b.im}; }

__device__ __forceinline__ c64 exchange_c64(c64 a, int lane) { return c64{__shfl_sync(0xffffffff, a.re, lane), __shfl_sync(0xffffffff, a.im, lane)}; }

extern "C" __global__ void __launch_bounds__(256) kernel(
    const c64* __restrict__ xs,
    const c64* __restrict__ y,
    c64* __restrict__ output,
    const int M
) {
  const int lane = threadIdx.x % 32;
  __shared__ __align__(16) c64 sums[8];
  const int n_block = blockIdx.x;
  c64 sum_by_warp1;
  c64 sum_by_warp2;
  c64 sum_by_warp4;
  const int m_warp = threadIdx.x / 32;
  c64 sum_by_lane1;
  c64 sum_by_lane2;
  c64 sum_by_lane4;
  c64 sum_by_lane8;
  c64 sum_by_lane16;
  c64 stored;
  stored = c64{0.0f, 0.0f};
  for (int m_strip = 0; m_strip < (M + 255) / 256; m_strip++) {
    const int at_m = m_warp * 32 + lane + m_strip * 256;
    stored = add_c64(stored, at_m < M ? mul_c64(xs[n_block * M + m_warp * 32 + lane + m_strip * 256], conj_c64(y[at_m])) : c64{0.0f, 0.0f});
  }
  const c64 other_stored = exchange_c64(stored, lane + 16);
  if (lane < 16) {
    sum_by_lane16 = add_c64(stored, other_stored);
  }
  const c64 other_sum_by_lane16 = exchange_c64(sum_by_lane16, lane + 8);
  if (lane < 8) {
    sum_by_lane8 = add_c64(sum_by_lane16, other_sum_by_lane16);
  }
  const c64 other_sum_by_lane8 = exchange_c64(sum_by_lane8, lane + 4);
  if (lane < 4) {
    sum_by_lane4 = add_c64(sum_by_lane8, other_sum_by_lane8);
  }
  const c64 other_sum_by_lane4 = exchange_c64(sum_by_lane4, lane + 2);
  if (lane < 2) {
    sum_by_lane2 = add_c64(sum_by_lane4, other_sum_by_lane4);
  }
  const c64 other0_sum_by_lane2 = exchange_c64(sum_by_lane2, 0);
  const c64 other1_sum_by_lane2 = exchange_c64(sum_by_lane2, 1);
  sum_by_lane1 = add_c64(other0_sum_by_lane2, other1_sum_by_lane2);
  if (lane < 1) {
    sums[m_warp] = sum_by_lane1;
  }
  __syncthreads();
  if (lane < 4) {
    sum_by_warp4 = add_c64(sums[lane], sums[lane + 4]);
  }
  const c64 other_sum_by_warp4 = exchange_c64(sum_by_warp4, lane + 2);
  if (lane < 2) {
    sum_by_warp2 = add_c64(sum_by_warp4, other_sum_by_warp4);
  }
  const c64 other0_sum_by_warp2 = exchange_c64(sum_by_warp2, 0);
  const c64 other1_sum_by_warp2 = exchange_c64(sum_by_warp2, 1);
  sum_by_warp1 = add_c64(other0_sum_by_warp2, other1_sum_by_warp2);
  if (threadIdx.x < 1) {
    output[n_block] = sum_by_warp1;
  }
}
