// Correct kernels that are close to mistakes: of memory that is filled just in time, and lanes that are just there.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void exchanged_before_use(float* x, int n) {
  __shared__ int count, last;
  if (threadIdx.x == 0) atomicExch(&count, 0);
  atomicExch(&last, 7);
  __syncthreads();
  atomicAdd(&count, last);
  __syncthreads();
  x[threadIdx.x] = (float)count;
}

extern "C" __global__ void local_arrays_are_filled(float* x, int n) {
  float sums[4], parts[2][2], unused[3];
  for (int i = 0; i < 4; i++) sums[i] = 0.0f;
  for (int i = 0; i < n; i++) {
    float both[2];
    both[i % 2] = x[i];
    sums[i % 4] += both[i % 2];
    if (i % 8 == 7) unused[i % 3] = both[1];
  }
  *reinterpret_cast<float4*>(&parts[0][0]) = make_float4(sums[0], sums[1], sums[2], sums[3]);
  __syncthreads();
  switch (n % 3) {
    case 0: float never[2]; never[0] = 1.0f; x[0] = never[0];
    case 1: x[threadIdx.x] = parts[threadIdx.x % 2][threadIdx.x / 2 % 2];
  }
}

struct Pair {
  float value;
  int place;
};
__device__ Pair smaller(Pair a, Pair b) { return b.value < a.value ? b : a; }

extern "C" __global__ void structures_are_filled_in_part(float* x, int n) {
  Pair pairs[4];
  for (int i = 0; i < 4; i++) pairs[i].value = x[threadIdx.x];
  pairs[2].place = 2;
  Pair best = pairs[0];
  for (int i = 1; i < 4; i++) best = smaller(best, pairs[i]);
  __syncthreads();
  x[threadIdx.x] = best.value;
}

extern "C" __global__ void fragments_are_filled(float* x, int n) {
  typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;
  __shared__ __align__(32) __half tile[256];
  __shared__ __align__(32) float product[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  Sum c[2], d;
  for (int i = 0; i < 2; i++) wmma::fill_fragment(c[i], 0.0f);
  for (int k = 0; k < 2; k++) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::load_matrix_sync(a, tile, 16);
    wmma::load_matrix_sync(b, tile, 16);
    wmma::mma_sync(c[k], a, b, c[k]);
  }
  for (int e = 0; e < d.num_elements; e++) d.x[e] = c[0].x[e] + c[1].x[e];
  Sum e = d;
  wmma::store_matrix_sync(product, e, 16, wmma::mem_row_major);
  __syncwarp();
  x[threadIdx.x] = product[threadIdx.x];
}

extern "C" __global__ void undefined_results_are_not_used(float* x, int n) {
  float sum = x[threadIdx.x];
  if (threadIdx.x < 8) {
    for (int step = 4; step > 0; step /= 2) {
      float other = __shfl_down_sync(0x000000ff, sum, step);
      if (threadIdx.x + step < 8) sum += other;
    }
    if (threadIdx.x == 0) x[0] = sum;
  }
}

extern "C" __global__ void masks_of_lanes_that_are_there(float* x, int n) {
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x >= 16) return;
  float y = __shfl_xor_sync(mask, x[threadIdx.x], 1);
  __syncwarp();
  if (__all_sync(0xffffffff, y >= 0.0f)) x[threadIdx.x] = y;
}

extern "C" __global__ void lanes_that_never_were(float* x, int n) {
  x[threadIdx.x] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);
}

// Lines that touch: columns of 32 numbers are 32 apart, rows of 8 are 8 apart.
extern "C" __global__ void matrices_without_room(float* x, int n) {
  __shared__ __align__(32) __half tile[512];
  __shared__ __align__(32) float sums[256];
  for (int i = threadIdx.x; i < 512; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::col_major> a;
  wmma::load_matrix_sync(a, tile, 32);
  wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::row_major> b;
  wmma::load_matrix_sync(b, tile, 8);
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(sums, c, 8, wmma::mem_row_major);
  __syncwarp();
  wmma::load_matrix_sync(c, sums, 32, wmma::mem_col_major);
  x[threadIdx.x] = sums[threadIdx.x] + c.x[0];
}
