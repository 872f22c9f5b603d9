"""A hand-written tensor core matrix product, as a reference for derived kernels. Independent of strategies.

Its plan is that of NVIDIA's sample for WMMA: a block of eight warps for 128 x 128 of the result, steps of 64 through
padded shared memory, 32 x 64 for each warp in fragments of 16 x 16 x 16, and the result copied to global memory through
shared memory, so that all accesses there are coalesced and have 16 bytes.
"""

from __future__ import annotations

from benchmarks.gpu.model import Kernel
from benchmarks.gpu.probe import kernel_of
from rise.naturals import const
from rise.types import ArrayType, ScalarType
from shine.imperative.nodes import Block, Buffer, Parameter, Procedure
from shine.targets.cuda.module import CudaKernel, CudaModule, PointerArgument

TILE = 128  # rows and columns of a block
DEPTH = 64
ROOM = 16  # padding of each row in shared memory, in numbers, against bank conflicts
THREADS = 256
SHARED = 4 * TILE * TILE  # bytes: the result's tile, which is larger than those of the factors


def text(k: int, n: int) -> str:
    """The kernel for a row length `k` of the first factor and `n` of the second."""
    return f"""#include <cuda_fp16.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

extern "C" __global__ void __launch_bounds__({THREADS}) by_hand(
    const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c
) {{
  extern __shared__ __align__(32) unsigned char memory[];
  const int left_pitch = {DEPTH + ROOM}, right_pitch = {TILE + ROOM};
  __half* left = reinterpret_cast<__half*>(memory);
  __half* right = left + {TILE} * left_pitch;
  const int row = blockIdx.y * {TILE}, column = blockIdx.x * {TILE};
  const int warp = threadIdx.x / 32, warp_row = warp / 2 * 32, warp_column = warp % 2 * 64;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[i][j], 0.0f);

  for (int step = 0; step < {k}; step += {DEPTH}) {{
#pragma unroll
    for (int turn = 0; turn < {TILE * DEPTH // 8 // THREADS}; ++turn) {{
      const int piece = turn * {THREADS} + threadIdx.x;
      const int y = piece / {DEPTH // 8}, x = piece % {DEPTH // 8} * 8;
      *reinterpret_cast<int4*>(&left[y * left_pitch + x]) =
          *reinterpret_cast<const int4*>(&a[(row + y) * {k} + step + x]);
    }}
#pragma unroll
    for (int turn = 0; turn < {TILE * DEPTH // 8 // THREADS}; ++turn) {{
      const int piece = turn * {THREADS} + threadIdx.x;
      const int y = piece / {TILE // 8}, x = piece % {TILE // 8} * 8;
      *reinterpret_cast<int4*>(&right[y * right_pitch + x]) =
          *reinterpret_cast<const int4*>(&b[(step + y) * {n} + column + x]);
    }}
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < {DEPTH}; inner += 16) {{
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> lefts[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> rights[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(lefts[i], &left[(warp_row + 16 * i) * left_pitch + inner], left_pitch);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(rights[j], &right[inner * right_pitch + warp_column + 16 * j], right_pitch);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], lefts[i], rights[j], sums[i][j]);
    }}
    __syncthreads();
  }}

  float* tile = reinterpret_cast<float*>(memory);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(
          &tile[(warp_row + 16 * i) * {TILE} + warp_column + 16 * j], sums[i][j], {TILE}, wmma::mem_row_major);
  __syncthreads();
#pragma unroll
  for (int turn = 0; turn < {TILE * TILE // 4 // THREADS}; ++turn) {{
    const int piece = turn * {THREADS} + threadIdx.x;
    const int y = piece / {TILE // 4}, x = piece % {TILE // 4} * 4;
    *reinterpret_cast<float4*>(&c[(row + y) * {n} + column + x]) =
        *reinterpret_cast<const float4*>(&tile[y * {TILE} + x]);
  }}
}}
"""


def by_hand(shape: tuple[int, int, int], arch: str) -> Kernel:
    """The kernel for C = A B; rows and columns of the result are multiples of 128, the third size is one of 64."""
    module, procedure = module_for(shape)
    return kernel_of(module, procedure, arch)


def module_for(shape: tuple[int, int, int]) -> tuple[CudaModule, Procedure]:
    """The text of the kernel, and its parameters."""
    m, k, n = shape
    assert m % TILE == n % TILE == k % DEPTH == 0, shape
    a, b, c = (matrix(*one) for one in (("a", m, k, "f16"), ("b", k, n, "f16"), ("c", m, n, "f32")))
    pointers = tuple(PointerArgument(one.buffers[0], one is c) for one in (a, b, c))
    grid = (const(n // TILE), const(m // TILE), const(1))
    kernel = CudaKernel("by_hand", grid, (THREADS, 1, 1), pointers, SHARED)
    source = text(k, n)
    module = CudaModule(source, (None,) * len(source.splitlines()), (kernel,))
    return module, Procedure("by_hand", (), (a, b), c, Block(()))


def matrix(name: str, rows: int, columns: int, scalar: str) -> Parameter:
    """A parameter that is a matrix."""
    element = ScalarType(scalar)
    t = ArrayType(const(rows), ArrayType(const(columns), element))
    return Parameter(name, t, (Buffer(name, element, const(rows * columns), "Global", ()),))
