// Kernels that use what is not there: memory that nobody filled, lanes that do not take part. Marked like `bugs.cu`.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// finds uninitialised in count, grid 1, block 32
extern "C" __global__ void atomics_on_memory_nobody_wrote(float* x, int n) {
  __shared__ int count;
  atomicAdd(&count, 1);  //!
  __syncthreads();
  x[threadIdx.x] = (float)count;
}

// finds uninitialised, grid 1, block 1
extern "C" __global__ void local_array_never_filled(float* x, int n) {
  float sums[4];
  for (int i = 0; i < n; i++) sums[i % 4] += x[i];  //!
  for (int i = 0; i < 4; i++) x[i] = sums[i];
}

// finds uninitialised, grid 1, block 32
extern "C" __global__ void accumulator_never_filled(float* x, int n) {
  __shared__ __align__(32) __half tile[256];
  __shared__ __align__(32) float product[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::load_matrix_sync(a, tile, 16);
  wmma::load_matrix_sync(b, tile, 16);
  wmma::mma_sync(c, a, b, c);  //!
  wmma::store_matrix_sync(product, c, 16, wmma::mem_row_major);
  __syncwarp();
  x[threadIdx.x] = product[threadIdx.x];
}

// finds uninitialised, grid 1, block 32
extern "C" __global__ void fragment_never_loaded(float* x, int n) {
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c[2];
  wmma::fill_fragment(c[1], 1.0);
  __shared__ __align__(32) double tile[64];
  wmma::store_matrix_sync(tile, c[n - 64], 8, wmma::mem_row_major);  //!
}

// finds bad-mask, grid 1, block 32
extern "C" __global__ void shuffle_from_outside_of_the_mask(float* x, int n) {
  if (threadIdx.x < 16) x[threadIdx.x] = __shfl_sync(0x0000ffff, (float)n, 20);  //!
}

// finds bad-mask, grid 1, block 32
extern "C" __global__ void shuffle_down_beyond_the_mask(float* x, int n) {
  float sum = x[threadIdx.x];
  if (threadIdx.x < 8)
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0x000000ff, sum, step);  //!
  if (threadIdx.x == 0) x[0] = sum;
}

// finds bad-mask, grid 1, block 32
extern "C" __global__ void mask_names_lanes_that_have_ended(float* x, int n) {
  if (threadIdx.x >= 16) return;
  x[threadIdx.x] = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);  //!
}
