// mm(A: N.K.f32, B: K.M.f32) -> N.M.f32 for all N, K, M
// for sm_80
extern "C" __global__ void __launch_bounds__(256) mm(
    const float* __restrict__ A,
    const float* __restrict__ B,
    float* __restrict__ output,
    const int K,
    const int M
) {
  __shared__ __align__(16) float aTile[512];
  __shared__ __align__(16) float bTile[512];
  const int by = blockIdx.y;
  const int bx = blockIdx.x;
  float acc[16];
  #pragma unroll
  for (int i2 = 0; i2 < 16; i2++) {
    acc[i2] = 0.0f;
  }
  for (int po = 0; po < K / 8; po++) {
    #pragma unroll
    for (int ia_turn = 0; ia_turn < 2; ia_turn++) {
      const int ia = ia_turn * 256 + threadIdx.x;
      aTile[ia] = A[(by * 64 + ia / 8) * K + po * 8 + ia % 8];
    }
    #pragma unroll
    for (int ib_turn = 0; ib_turn < 2; ib_turn++) {
      const int ib = ib_turn * 256 + threadIdx.x;
      bTile[ib] = B[(po * 8 + ib / 64) * M + bx * 64 + ib % 64];
    }
    __syncthreads();
    const int t = threadIdx.x;
    float column[4];
    float row[4];
    for (int p = 0; p < 8; p++) {
      #pragma unroll
      for (int i = 0; i < 4; i++) {
        column[i] = aTile[t / 16 * 32 + i * 8 + p];
      }
      #pragma unroll
      for (int j = 0; j < 4; j++) {
        row[j] = bTile[p * 64 + t % 16 * 4 + j];
      }
      #pragma unroll
      for (int i1 = 0; i1 < 4; i1++) {
        #pragma unroll
        for (int j1 = 0; j1 < 4; j1++) {
          acc[i1 * 4 + j1] = fmaf(column[i1], row[j1], acc[i1 * 4 + j1]);
        }
      }
    }
    __syncthreads();
  }
  const int t1 = threadIdx.x;
  #pragma unroll
  for (int i3 = 0; i3 < 4; i3++) {
    #pragma unroll
    for (int j3 = 0; j3 < 4; j3++) {
      output[(by * 64 + t1 / 16 * 4 + i3) * M + bx * 64 + t1 % 16 * 4 + j3] = acc[i3 * 4 + j3];
    }
  }
}
