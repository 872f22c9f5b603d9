// A product of f16 by mma.sync, ldmatrix and cp.async in three stages, for sm_80 and later: tiles of 128 x 128 x 32 of four
// warps, rows in shared memory swizzled instead of padded. K is a multiple of 32, M and N of 128.
#include <cuda_fp16.h>
#define ROWS 128
#define COLUMNS 128
#define DEPTH 32
#define STAGES 3
#define BYTES_OF_STAGE (ROWS * DEPTH * 2)

// Where chunk c (of 16 bytes) of row r of a tile begins.
static __device__ __forceinline__ unsigned a_place(unsigned r, unsigned c) { return r * 64 + ((c ^ ((r >> 1) & 3)) << 4); }
static __device__ __forceinline__ unsigned b_place(unsigned r, unsigned c) { return r * 256 + (((c & 8) | ((c ^ r) & 7)) << 4); }
#define A_OF_COPY(r, c) a_place(r, c)
static __device__ __forceinline__ void copy16(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from) : "memory");
}
static __device__ __forceinline__ void load4(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
    : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
static __device__ __forceinline__ void load4_transposed(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
    : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(128) product(const __half* A, const __half* B, float* C, int M, int N, int K) {
  extern __shared__ __align__(128) unsigned char shared[];
  const unsigned end = STAGES * BYTES_OF_STAGE;
  const unsigned sa = (unsigned)__cvta_generic_to_shared(shared), sb = sa + end;
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, wm = (warp >> 1) * 64, wn = (warp & 1) * 64;
  const int m0 = blockIdx.y * ROWS, n0 = blockIdx.x * COLUMNS, steps = K / DEPTH;
  float sum[4][8][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 4; ++k) sum[i][j][k] = 0.f;
  auto copy = [&](int step) {
    if (step < steps) {
      const unsigned a = sa + (step % STAGES) * BYTES_OF_STAGE, b = sb + (step % STAGES) * BYTES_OF_STAGE;
      for (int i = 0; i < 4; ++i) {
        const int id = t + i * 128;
        const unsigned r = id >> 2, c = id & 3, q = id >> 4, d = id & 15;
        copy16(a + A_OF_COPY(r, c), A + (size_t)(m0 + r) * K + step * DEPTH + c * 8);
        copy16(b + b_place(q, d), B + (size_t)(step * DEPTH + q) * N + n0 + d * 8);
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int s = 0; s < STAGES - 1; ++s) copy(s);
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2) : "memory");
    __syncthreads();
    copy(step + STAGES - 1);
    const unsigned a = sa + (step % STAGES) * BYTES_OF_STAGE, b = sb + (step % STAGES) * BYTES_OF_STAGE;
    for (int kk = 0; kk < 2; ++kk) {
      unsigned fa[4][4], fb[4][4];
      for (int i = 0; i < 4; ++i) load4(fa[i], a + a_place(wm + i * 16 + (lane & 15), kk * 2 + (lane >> 4)));
      for (int j = 0; j < 4; ++j) load4_transposed(fb[j], b + b_place(kk * 16 + (lane & 15), (wn + j * 16) / 8 + (lane >> 4)));
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j) multiply(sum[i][j], fa[i], fb[j >> 1][(j & 1) * 2], fb[j >> 1][(j & 1) * 2 + 1]);
    }
  }
  const int g = lane >> 2, q = (lane & 3) * 2;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      float* c = C + (size_t)(m0 + wm + i * 16 + g) * N + n0 + wn + j * 8 + q;
      *(float2*)c = make_float2(sum[i][j][0], sum[i][j][1]);
      *(float2*)(c + 8 * (size_t)N) = make_float2(sum[i][j][2], sum[i][j][3]);
    }
}
