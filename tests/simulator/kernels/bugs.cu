// Kernels that are wrong, one mistake each. Before each stands what the simulator has to find: kind, array, launch.
// Lines that a finding names are marked `//!`; all take one array of 64 numbers and an integer n.
// One subject: the mistakes that the simulator finds, which share headers and the form of their first lines.
#include <cuda_pipeline.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// finds race in tile, grid 1, block 64
extern "C" __global__ void read_after_write(float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];  //!
  x[threadIdx.x] = tile[63 - threadIdx.x];  //!
}

// finds race in tile, grid 1, block 64
extern "C" __global__ void write_after_read(float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 1.0f;
  __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];  //!
  tile[threadIdx.x] = 2.0f;  //!
}

// finds race in total, grid 1, block 64
extern "C" __global__ void write_after_write(float* x, int n) {
  __shared__ float total;
  total = (float)threadIdx.x;  //!
  __syncthreads();
  x[threadIdx.x] = total;
}

// finds race in tile, grid 1, block 32
extern "C" __global__ void lanes_are_not_in_lockstep(float* x, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];  //!
  x[threadIdx.x] = tile[threadIdx.x ^ 1];  //!
}

// finds race in tile, grid 1, block 32
extern "C" __global__ void shuffles_order_no_memory(float* x, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];  //!
  float other = __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);
  x[threadIdx.x] = other + tile[threadIdx.x ^ 1];  //!
}

// finds race in tile, grid 1, block 64
extern "C" __global__ void warps_need_a_barrier(float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];  //!
  __syncwarp();
  x[threadIdx.x] = tile[threadIdx.x ^ 32];  //!
}

// finds race in tile, grid 1, block 32
extern "C" __global__ void half_a_warp_synchronises(float* x, int n) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];  //!
  if (threadIdx.x < 16) __syncwarp(0x0000ffff);
  if (threadIdx.x >= 16) __syncwarp(0xffff0000);
  x[threadIdx.x] = tile[threadIdx.x ^ 16];  //!
}

// finds race in x, grid 2, block 32
extern "C" __global__ void blocks_write_one_place(float* x, int n) {
  x[threadIdx.x] = (float)blockIdx.x;  //!
}

// finds race in x, grid 2, block 1
extern "C" __global__ void blocks_add_without_atomics(float* x, int n) {
  x[0] += 1.0f;  //!
}

// finds race in x, grid 2, block 32
extern "C" __global__ void blocks_read_what_one_wrote(float* x, int n) {
  if (blockIdx.x == 0) x[threadIdx.x] = 1.0f;  //!
  else x[32 + threadIdx.x] = x[threadIdx.x];  //!
}

// finds race in x, grid 2, block 32
extern "C" __global__ void blocks_write_what_one_read(float* x, int n) {
  if (blockIdx.x == 0) x[32 + threadIdx.x] = x[threadIdx.x];  //!
  else x[threadIdx.x] = 1.0f;  //!
}

// finds race in count, grid 1, block 64
extern "C" __global__ void plain_read_of_an_atomic(float* x, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  //!
  x[threadIdx.x] = (float)count;  //!
}

// finds race in tile, grid 1, block 32
extern "C" __global__ void matrix_is_loaded_early(float* x, int n) {
  __shared__ __align__(32) __half tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __half(1.0f);  //!
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::load_matrix_sync(a, tile, 16);  //!
  x[threadIdx.x] = __half2float(a.x[0]);
}

// finds race in tile, grid 1, block 32
extern "C" __global__ void matrix_is_read_early(float* x, int n) {
  __shared__ __align__(32) float tile[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::store_matrix_sync(tile, c, 16, wmma::mem_row_major);  //!
  x[threadIdx.x] = tile[threadIdx.x];  //!
}

// finds out-of-bounds, grid 1, block 64
extern "C" __global__ void index_beyond_shared(float* x, int n) {
  __shared__ float tile[4][16];
  tile[threadIdx.x / 16][threadIdx.x % 16 + n] = x[threadIdx.x];  //!
}

// finds out-of-bounds in tile, grid 1, block 64
extern "C" __global__ void pointer_beyond_shared(float* x, int n) {
  __shared__ float tile[64];
  __shared__ float other[64];
  other[threadIdx.x] = 0.0f;
  float* p = tile;
  p[threadIdx.x + n] = x[threadIdx.x];  //!
}

// finds out-of-bounds in a, grid 1, block 64, dynamic a 0 256 b 256 256
extern "C" __global__ void jump_to_the_next_array(float* x, int n) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  float* a = reinterpret_cast<float*>(shared_memory + 0);
  float* b = reinterpret_cast<float*>(shared_memory + 256);
  b[threadIdx.x] = 0.0f;
  a[threadIdx.x + n] = x[threadIdx.x];  //!
}

// finds out-of-bounds in dynamic shared memory, grid 1, block 64, dynamic a 0 128
extern "C" __global__ void offset_of_no_array(float* x, int n) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  float* a = reinterpret_cast<float*>(shared_memory + 256);
  a[threadIdx.x] = x[threadIdx.x];  //!
}

// finds out-of-bounds in x, grid 1, block 64
extern "C" __global__ void write_beyond_global(float* x, int n) {
  x[threadIdx.x + n] = 1.0f;  //!
}

// finds out-of-bounds in x, grid 1, block 64
extern "C" __global__ void read_before_global(float* x, int n) {
  x[threadIdx.x] = x[(int)threadIdx.x - n];  //!
}

// finds out-of-bounds in x, grid 1, block 32
extern "C" __global__ void matrix_beyond_global(float* x, int n) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::store_matrix_sync(x, c, 16, wmma::mem_row_major);  //!
}

// finds out-of-bounds, grid 1, block 1
extern "C" __global__ void index_beyond_local(float* x, int n) {
  float mine[8] = {};
  for (int i = 0; i < 8; i++) mine[i] = x[i];
  x[0] = mine[n - 50];  //!
}

// finds misaligned in x, grid 1, block 1
extern "C" __global__ void vector_at_an_odd_place(float* x, int n) {
  *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<float4*>(x + n % 63);  //!
}

// finds misaligned in tile, grid 1, block 32
extern "C" __global__ void matrix_at_an_odd_place(float* x, int n) {
  __shared__ __align__(32) __half tile[512];
  for (int i = threadIdx.x; i < 512; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::load_matrix_sync(a, tile + 4, 16);  //!
  x[threadIdx.x] = __half2float(a.x[0]);
}

// finds bad-stride, grid 1, block 32
extern "C" __global__ void matrix_of_odd_rows(float* x, int n) {
  __shared__ __align__(32) __half tile[512];
  for (int i = threadIdx.x; i < 512; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::load_matrix_sync(a, tile, 20);  //!
  x[threadIdx.x] = __half2float(a.x[0]);
}

// finds bad-stride, grid 1, block 32
extern "C" __global__ void matrix_of_repeated_rows(float* x, int n) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::load_matrix_sync(c, x, 0, wmma::mem_row_major);  //!
  __syncwarp();
  x[threadIdx.x] = c.x[0];
}

// finds bad-stride, grid 1, block 32
extern "C" __global__ void matrix_of_overlapping_columns(float* x, int n) {
  __shared__ __align__(32) __half tile[512];
  for (int i = threadIdx.x; i < 512; i += 32) tile[i] = __half(1.0f);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::col_major> a;
  wmma::load_matrix_sync(a, tile, 24);  //!
  x[threadIdx.x] = __half2float(a.x[0]);
}

// finds uninitialised in tile, grid 1, block 64
extern "C" __global__ void read_before_any_write(float* x, int n) {
  __shared__ float tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = 1.0f;
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x];  //!
}

// finds stale in b, grid 1, block 64, dynamic a 0 256 b 128 256
extern "C" __global__ void bytes_of_another_array(float* x, int n) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  float* a = reinterpret_cast<float*>(shared_memory + 0);
  a[threadIdx.x] = x[threadIdx.x];  //!
  __syncthreads();
  float* b = reinterpret_cast<float*>(shared_memory + 128);
  x[threadIdx.x] = b[threadIdx.x % 32];  //!
}

// finds divergent-barrier, grid 1, block 64
extern "C" __global__ void two_barriers(float* x, int n) {
  if (threadIdx.x < 32) {
    __syncthreads();  //!
  } else {
    __syncthreads();  //!
  }
}

// finds divergent-barrier, grid 1, block 64
extern "C" __global__ void barrier_of_some(float* x, int n) {
  if (threadIdx.x < 40) __syncthreads();  //!
}

// finds divergent-barrier, grid 1, block 32
extern "C" __global__ void two_shuffles(float* x, int n) {
  if (threadIdx.x < 16) {
    x[threadIdx.x] = __shfl_xor_sync(0xffffffff, 1.0f, 1);  //!
  } else {
    x[threadIdx.x] = __shfl_xor_sync(0xffffffff, 2.0f, 1);  //!
  }
}

// finds divergent-barrier, grid 1, block 32
extern "C" __global__ void matrices_of_lanes(float* x, int n) {
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c;
  wmma::load_matrix_sync(c, reinterpret_cast<double*>(x) + threadIdx.x, 8, wmma::mem_row_major);  //!
}

// finds deadlock, grid 1, block 64
extern "C" __global__ void barrier_against_warp(float* x, int n) {
  if (threadIdx.x < 40) __syncthreads();  //!
  else __syncwarp();  //!
  __syncthreads();
}

// finds deadlock, grid 1, block 32
extern "C" __global__ void lanes_that_never_come(float* x, int n) {
  if (threadIdx.x < 16) __syncwarp();  //!
  else __syncthreads();  //!
}

// finds read-only in x, grid 1, block 64, read-only
extern "C" __global__ void write_to_an_input(float* x, int n) {
  x[threadIdx.x] = 1.0f;  //!
}

// finds bad-mask, grid 1, block 32
extern "C" __global__ void mask_without_its_lane(float* x, int n) {
  x[threadIdx.x] = __shfl_xor_sync(0x0000ffff, 1.0f, 1);  //!
}

// finds bad-mask, grid 1, block 32
extern "C" __global__ void two_masks(float* x, int n) {
  x[threadIdx.x] = __ballot_sync(threadIdx.x < 16 ? 0xffffffff : 0xfffffffe | (threadIdx.x & 1), 1);  //!
}

// finds bad-mask, grid 1, block 16
extern "C" __global__ void matrix_of_half_a_warp(float* x, int n) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::store_matrix_sync(x, c, 16, wmma::mem_row_major);  //!
}

// finds budget, grid 1, block 32
extern "C" __global__ void endless(float* x, int n) {
  for (unsigned i = 1; i != 0; i += 2) x[threadIdx.x] += 1.0f;  //!
}

// finds budget, grid 1, block 32
extern "C" __global__ void endless_without_memory(float* x, int n) {
  unsigned i = n;
  while (i != 2) i = i * 3 | 1;  //!
  x[0] = i;
}

// finds fault, grid 1, block 1
extern "C" __global__ void divide_by_nothing(float* x, int n) {
  x[0] = (float)(n / (n - 64));  //!
}

// finds fault, grid 1, block 1
extern "C" __global__ void too_many_locals(float* x, int n) {  //!
  volatile float mine[100000];
  mine[n] = x[0];
  mine[0] = 1.0f;
  x[0] = mine[0] + mine[n];
}

// finds trap, grid 1, block 1
extern "C" __global__ void stop_itself(float* x, int n) {
  if (n == 64) __trap();  //!
}

// finds assertion, grid 1, block 64
extern "C" __global__ void assert_too_much(float* x, int n) {
  assert(x[threadIdx.x] < n - 1);  //!
}

// finds in-flight in tile, grid 1, block 64
extern "C" __global__ void copy_without_a_wait(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  __pipeline_commit();
  __syncthreads();
  x[threadIdx.x] = tile[n - 1 - threadIdx.x];  //!
}

// finds in-flight in tile, grid 1, block 64
extern "C" __global__ void copy_that_is_not_committed(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  __pipeline_wait_prior(0);
  __syncthreads();
  x[threadIdx.x] = tile[n - 1 - threadIdx.x];  //!
}

// finds in-flight in tile, grid 1, block 64
extern "C" __global__ void wait_behind_the_barrier(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  x[threadIdx.x] = tile[n - 1 - threadIdx.x];  //!
}

// finds race in tile, grid 1, block 64
extern "C" __global__ void wait_without_a_barrier(float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 0.0f;
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (threadIdx.x == n / 2) x[threadIdx.x] = tile[n / 2 - 1];  //!
}

// finds in-flight in tile, grid 1, block 32
extern "C" __global__ void wait_for_too_few_groups(float* x, int n) {
  __shared__ __align__(16) float tile[2][64];
  __pipeline_memcpy_async(&tile[0][threadIdx.x * 2], &x[threadIdx.x * 2], 8);
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][threadIdx.x * 2], &x[threadIdx.x * 2], 8);  //!
  __pipeline_commit();
  __pipeline_wait_prior(1);
  float sum = tile[0][threadIdx.x * 2] + tile[1][threadIdx.x * 2];  //!
  __pipeline_wait_prior(0);
  x[threadIdx.x * 2] = sum;
}

// finds in-flight in tile, grid 1, block 64
extern "C" __global__ void write_while_a_copy_is_on_its_way(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  tile[threadIdx.x] = n;  //!
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

// finds in-flight in x, grid 1, block 64
extern "C" __global__ void source_that_changes(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  x[threadIdx.x] = -1.0f;  //!
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

// finds not-waited in tile, grid 1, block 64
extern "C" __global__ void copy_that_nobody_waits_for(float* x, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);  //!
  __pipeline_commit();
}

// finds out-of-bounds in tile, grid 1, block 1
extern "C" __global__ void copy_beyond_the_array(float* x, int n) {
  __shared__ __align__(16) float tile[64];
  __pipeline_memcpy_async(tile + n, x, 16);  //!
}

// finds bad-copy, grid 1, block 1
extern "C" __global__ void copy_of_twelve_bytes(float* x, int n) {
  __shared__ __align__(16) float tile[64];
  __pipeline_memcpy_async(tile, x, 12);  //!
}

// finds bad-copy, grid 1, block 1
extern "C" __global__ void copy_out_of_shared_memory(float* x, int n) {
  __shared__ __align__(16) float tile[64];
  tile[0] = n;
  __pipeline_memcpy_async(tile + 4, tile, 4);  //!
}
