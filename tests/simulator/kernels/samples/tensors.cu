// Products on tensor cores, of all kinds of numbers: restatements of cudaTensorCoreGemm and of its variants for bf16, tf32,
// integers and doubles. One warp for each tile; matrices of n x n, n a multiple of 32.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void of_bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(of_a, a + 16 * blockIdx.y * n + k, n);
    wmma::load_matrix_sync(of_b, b + k * n + 16 * blockIdx.x, n);
    wmma::mma_sync(sum, of_a, of_b, sum);
  }
  wmma::store_matrix_sync(c + 16 * blockIdx.y * n + 16 * blockIdx.x, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void of_tf32(const float* a, const float* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 8) {
    wmma::load_matrix_sync(of_a, a + 16 * blockIdx.y * n + k, n);
    wmma::load_matrix_sync(of_b, b + k * n + 16 * blockIdx.x, n);
    for (int i = 0; i < of_a.num_elements; i++) of_a.x[i] = wmma::__float_to_tf32(of_a.x[i]);
    for (int i = 0; i < of_b.num_elements; i++) of_b.x[i] = wmma::__float_to_tf32(of_b.x[i]);
    wmma::mma_sync(sum, of_a, of_b, sum);
  }
  wmma::store_matrix_sync(c + 16 * blockIdx.y * n + 16 * blockIdx.x, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void of_bytes(const signed char* a, const signed char* b, int* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(of_a, a + 16 * blockIdx.y * n + k, n);
    wmma::load_matrix_sync(of_b, b + 16 * blockIdx.x * n + k, n);
    wmma::mma_sync(sum, of_a, of_b, sum);
  }
  wmma::store_matrix_sync(c + 16 * blockIdx.y * n + 16 * blockIdx.x, sum, n, wmma::mem_row_major);
}

extern "C" __global__ void of_doubles(const double* a, const double* b, double* c, int n) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> of_b;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0.0);
  for (int k = 0; k < n; k += 4) {
    wmma::load_matrix_sync(of_a, a + 8 * blockIdx.y * n + k, n);
    wmma::load_matrix_sync(of_b, b + 8 * blockIdx.x * n + k, n);
    wmma::mma_sync(sum, of_a, of_b, sum);
  }
  wmma::store_matrix_sync(c + 8 * blockIdx.y * n + 8 * blockIdx.x, sum, n, wmma::mem_row_major);
}

// Tiles of 32 x 32 of four warps, copied ahead in two buffers.
extern "C" __global__ void copied_ahead(const __half* a, const __half* b, float* c, int n) {
  __shared__ __align__(32) __half of_a[2][32][24], of_b[2][16][40];
  int t = threadIdx.x, warp = t / 32, row = 32 * blockIdx.y, column = 32 * blockIdx.x;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  auto copy = [&](int k) {
    if (k < n) {
      if (t < 64) __pipeline_memcpy_async(&of_a[k / 16 % 2][t / 2][t % 2 * 8], a + (row + t / 2) * n + k + t % 2 * 8, 16);
      else __pipeline_memcpy_async(&of_b[k / 16 % 2][t / 4 - 16][t % 4 * 8], b + (k + t / 4 - 16) * n + column + t % 4 * 8, 16);
    }
    __pipeline_commit();
  };
  copy(0);
  for (int k = 0; k < n; k += 16) {
    copy(k + 16);
    __pipeline_wait_prior(1);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::load_matrix_sync(left, &of_a[k / 16 % 2][warp / 2 * 16][0], 24);
    wmma::load_matrix_sync(right, &of_b[k / 16 % 2][0][warp % 2 * 16], 40);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (row + warp / 2 * 16) * n + column + warp % 2 * 16, sum, n, wmma::mem_row_major);
}

// By instructions: rows in shared memory by ldmatrix, products of 16 x 8 x 16, results from registers. One warp.
extern "C" __global__ void by_instructions(const __half* a, const __half* b, float* c, int n) {
  __shared__ __align__(16) __half of_a[16][24], of_b[16][24];
  int lane = threadIdx.x, row = 16 * blockIdx.y, column = 16 * blockIdx.x;
  float sum[2][4] = {};
  for (int k = 0; k < n; k += 16) {
    int r = lane / 2, part = lane % 2 * 8;
    *reinterpret_cast<uint4*>(&of_a[r][part]) = *reinterpret_cast<const uint4*>(a + (row + r) * n + k + part);
    *reinterpret_cast<uint4*>(&of_b[r][part]) = *reinterpret_cast<const uint4*>(b + (k + r) * n + column + part);
    __syncwarp();
    unsigned left[4], right[4];
    unsigned at_a = (unsigned)__cvta_generic_to_shared(&of_a[lane % 16][lane / 16 * 8]);
    unsigned at_b = (unsigned)__cvta_generic_to_shared(&of_b[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3]) : "r"(at_a) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(right[0]), "=r"(right[1]), "=r"(right[2]), "=r"(right[3]) : "r"(at_b) : "memory");
    for (int j = 0; j < 2; j++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[j][0]), "+f"(sum[j][1]), "+f"(sum[j][2]), "+f"(sum[j][3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[2 * j]), "r"(right[2 * j + 1]));
    __syncwarp();
  }
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 4; i++)
      c[(row + lane / 4 + i / 2 * 8) * n + column + j * 8 + lane % 4 * 2 + i % 2] = sum[j][i];
}
