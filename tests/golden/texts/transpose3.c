// transpose3(xs: L.M.N.f32) -> N.L.M.f32 for all L, M, N
#include <stdint.h>

int transpose3(int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < (2048 * (M / 64) * (N / 16) + 2 * M * N) * L)
  for (int64_t l = 0; l < L; l++) {
    for (int64_t n_block = 0; n_block < N / 16; n_block++) {
      for (int64_t m_block = 0; m_block < M / 64; m_block++) {
        _Alignas(64) float xs_tile[1024];
        for (int64_t m = 0; m < 64; m++) {
          for (int64_t n_tile = 0; n_tile < 1; n_tile++) {
            __builtin_prefetch(&xs[(l * M + m_block * 64 + m + 8) * N + n_block * 16 + n_tile * 16]);
          }
          for (int64_t n = 0; n < 16; n++) {
            xs_tile[n * 64 + m] = xs[(l * M + m_block * 64 + m) * N + n_block * 16 + n];
          }
        }
        for (int64_t n = 0; n < 16; n++) {
          for (int64_t m = 0; m < 64; m++) {
            output[((n_block * 16 + n) * L + l) * M + m_block * 64 + m] = xs_tile[n * 64 + m];
          }
        }
      }
      for (int64_t n = 0; n < 16; n++) {
        for (int64_t m = 0; m < M % 64; m++) {
          output[((n_block * 16 + n) * L + l) * M + m + 64 * (M / 64)] = xs[(l * M + m + 64 * (M / 64)) * N + n_block * 16 + n];
        }
      }
    }
    for (int64_t n = 0; n < N % 16; n++) {
      for (int64_t m = 0; m < M; m++) {
        output[((n + 16 * (N / 16)) * L + l) * M + m] = xs[(l * M + m) * N + n + 16 * (N / 16)];
      }
    }
  }
  return 0;
}
