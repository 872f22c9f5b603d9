// kernel(alpha: f32, beta: f32, A: M.K.f16, B: K.N.f16, C: M.N.f32) -> M.N.f32 for all M, K, N where 128 divides M, 128 divides N, 32 divides K
// for sm_80
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

extern "C" __global__ void __launch_bounds__(256) kernel(
    const __half* __restrict__ A,
    const __half* __restrict__ B,
    const float* __restrict__ C,
    float* __restrict__ output,
    const float alpha,
    const float beta,
    const int M,
    const int K,
    const int N
) {
  const int warp = threadIdx.x / 32;
  extern __shared__ __align__(32) unsigned char shared_memory[];
  __half* const A_tile = reinterpret_cast<__half*>(shared_memory + 0);
  __half* const B_tile = reinterpret_cast<__half*>(shared_memory + 30720);
  for (int m_block = blockIdx.y; m_block < M / 128; m_block += gridDim.y) {
    const int n_block = blockIdx.x;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> acc[8];
    #pragma unroll
    for (int m_strip = 0; m_strip < 4; m_strip++) {
      #pragma unroll
      for (int n_strip = 0; n_strip < 2; n_strip++) {
        nvcuda::wmma::fill_fragment(acc[m_strip * 2 + n_strip], 0.0f);
      }
    }
    __syncthreads();
    if (0 < K / 32) {
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&A_tile[thread * 8 + thread / 4 * 8], &A[(m_block * 128 + thread / 4) * K + thread % 4 * 8], 16);
      }
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&B_tile[thread * 8 + thread / 16 * 8], &B[thread / 16 * N + n_block * 128 + thread % 16 * 8], 16);
      }
    }
    __pipeline_commit();
    if (1 < K / 32) {
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&A_tile[thread * 8 + thread / 4 * 8 + 5120], &A[(m_block * 128 + thread / 4) * K + thread % 4 * 8 + 32], 16);
      }
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&B_tile[thread * 8 + thread / 16 * 8 + 4352], &B[(thread / 16 + 32) * N + n_block * 128 + thread % 16 * 8], 16);
      }
    }
    __pipeline_commit();
    for (int k_step = 0; k_step < K / 96; k_step++) {
      __pipeline_wait_prior(1);
      __syncthreads();
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&A_tile[thread * 8 + thread / 4 * 8 + 10240], &A[(m_block * 128 + thread / 4) * K + thread % 4 * 8 + k_step * 96 + 64], 16);
      }
      #pragma unroll
      for (int turn = 0; turn < 2; turn++) {
        const int thread = turn * 256 + threadIdx.x;
        __pipeline_memcpy_async(&B_tile[thread * 8 + thread / 16 * 8 + 8704], &B[(thread / 16 + k_step * 96 + 64) * N + n_block * 128 + thread % 16 * 8], 16);
      }
      __pipeline_commit();
      const int warp_y = warp / 4;
      const int warp_1 = warp % 4;
      for (int k = 0; k < 2; k++) {
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> B_fragment[2];
        #pragma unroll
        for (int n_strip = 0; n_strip < 2; n_strip++) {
          nvcuda::wmma::load_matrix_sync(B_fragment[n_strip], &B_tile[warp_1 * 32 + k * 2176 + n_strip * 16], 136);
        }
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> A_fragment[4];
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          nvcuda::wmma::load_matrix_sync(A_fragment[m_strip], &A_tile[warp_y * 2560 + m_strip * 640 + k * 16], 40);
        }
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          #pragma unroll
          for (int n_strip = 0; n_strip < 2; n_strip++) {
            nvcuda::wmma::mma_sync(acc[m_strip * 2 + n_strip], A_fragment[m_strip], B_fragment[n_strip], acc[m_strip * 2 + n_strip]);
          }
        }
      }
      __pipeline_wait_prior(1);
      __syncthreads();
      if (k_step * 3 + 3 < K / 32) {
        #pragma unroll
        for (int turn = 0; turn < 2; turn++) {
          const int thread = turn * 256 + threadIdx.x;
          __pipeline_memcpy_async(&A_tile[thread * 8 + thread / 4 * 8], &A[(m_block * 128 + thread / 4) * K + thread % 4 * 8 + k_step * 96 + 96], 16);
        }
        #pragma unroll
        for (int turn = 0; turn < 2; turn++) {
          const int thread = turn * 256 + threadIdx.x;
          __pipeline_memcpy_async(&B_tile[thread * 8 + thread / 16 * 8], &B[(thread / 16 + k_step * 96 + 96) * N + n_block * 128 + thread % 16 * 8], 16);
        }
      }
      __pipeline_commit();
      for (int k = 0; k < 2; k++) {
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> B_fragment[2];
        #pragma unroll
        for (int n_strip = 0; n_strip < 2; n_strip++) {
          nvcuda::wmma::load_matrix_sync(B_fragment[n_strip], &B_tile[warp_1 * 32 + k * 2176 + n_strip * 16 + 4352], 136);
        }
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> A_fragment[4];
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          nvcuda::wmma::load_matrix_sync(A_fragment[m_strip], &A_tile[warp_y * 2560 + m_strip * 640 + k * 16 + 5120], 40);
        }
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          #pragma unroll
          for (int n_strip = 0; n_strip < 2; n_strip++) {
            nvcuda::wmma::mma_sync(acc[m_strip * 2 + n_strip], A_fragment[m_strip], B_fragment[n_strip], acc[m_strip * 2 + n_strip]);
          }
        }
      }
      __pipeline_wait_prior(1);
      __syncthreads();
      if (k_step * 3 + 4 < K / 32) {
        #pragma unroll
        for (int turn = 0; turn < 2; turn++) {
          const int thread = turn * 256 + threadIdx.x;
          __pipeline_memcpy_async(&A_tile[thread * 8 + thread / 4 * 8 + 5120], &A[(m_block * 128 + thread / 4) * K + thread % 4 * 8 + k_step * 96 + 128], 16);
        }
        #pragma unroll
        for (int turn = 0; turn < 2; turn++) {
          const int thread = turn * 256 + threadIdx.x;
          __pipeline_memcpy_async(&B_tile[thread * 8 + thread / 16 * 8 + 4352], &B[(thread / 16 + k_step * 96 + 128) * N + n_block * 128 + thread % 16 * 8], 16);
        }
      }
      __pipeline_commit();
      for (int k = 0; k < 2; k++) {
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> B_fragment[2];
        #pragma unroll
        for (int n_strip = 0; n_strip < 2; n_strip++) {
          nvcuda::wmma::load_matrix_sync(B_fragment[n_strip], &B_tile[warp_1 * 32 + k * 2176 + n_strip * 16 + 8704], 136);
        }
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> A_fragment[4];
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          nvcuda::wmma::load_matrix_sync(A_fragment[m_strip], &A_tile[warp_y * 2560 + m_strip * 640 + k * 16 + 10240], 40);
        }
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          #pragma unroll
          for (int n_strip = 0; n_strip < 2; n_strip++) {
            nvcuda::wmma::mma_sync(acc[m_strip * 2 + n_strip], A_fragment[m_strip], B_fragment[n_strip], acc[m_strip * 2 + n_strip]);
          }
        }
      }
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < K % 96 / 32; i++) {
      const int warp_y = warp / 4;
      const int warp_1 = warp % 4;
      for (int l = 0; l < 2; l++) {
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> B_fragment[2];
        #pragma unroll
        for (int n_strip = 0; n_strip < 2; n_strip++) {
          nvcuda::wmma::load_matrix_sync(B_fragment[n_strip], &B_tile[warp_1 * 32 + i * 4352 + l * 2176 + n_strip * 16], 136);
        }
        nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> A_fragment[4];
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          nvcuda::wmma::load_matrix_sync(A_fragment[m_strip], &A_tile[warp_y * 2560 + i * 5120 + m_strip * 640 + l * 16], 40);
        }
        #pragma unroll
        for (int m_strip = 0; m_strip < 4; m_strip++) {
          #pragma unroll
          for (int n_strip = 0; n_strip < 2; n_strip++) {
            nvcuda::wmma::mma_sync(acc[m_strip * 2 + n_strip], A_fragment[m_strip], B_fragment[n_strip], acc[m_strip * 2 + n_strip]);
          }
        }
      }
    }
    const int m_warp = warp / 4;
    const int n_warp = warp % 4;
    #pragma unroll
    for (int m_strip = 0; m_strip < 4; m_strip++) {
      #pragma unroll
      for (int n_strip = 0; n_strip < 2; n_strip++) {
        nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> stored;
        nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> C_fragment;
        nvcuda::wmma::load_matrix_sync(C_fragment, &C[(m_block * 128 + m_warp * 64 + m_strip * 16) * N + n_block * 128 + n_warp * 32 + n_strip * 16], N, nvcuda::wmma::mem_row_major);
        #pragma unroll
        for (int e = 0; e < stored.num_elements; e++) {
          const float x = acc[m_strip * 2 + n_strip].x[e];
          const float y = C_fragment.x[e];
          stored.x[e] = alpha * x + beta * y;
        }
        nvcuda::wmma::store_matrix_sync(&output[(m_block * 128 + m_warp * 64 + m_strip * 16) * N + n_block * 128 + n_warp * 32 + n_strip * 16], stored, N, nvcuda::wmma::mem_row_major);
      }
    }
  }
}
