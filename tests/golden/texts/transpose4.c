// transpose4(xs: K.L.M.N.f32) -> N.M.L.K.f32 for all K, L, M, N
#include <stdint.h>

int transpose4(int64_t K, int64_t L, int64_t M, int64_t N, const float *restrict xs, float *restrict output) {
  #pragma omp parallel for schedule(static) if(65535 < (2048 * (K / 64) * (N / 16) + 2 * K * N) * M * L)
  for (int64_t m = 0; m < M; m++) {
    for (int64_t l = 0; l < L; l++) {
      for (int64_t n_block = 0; n_block < N / 16; n_block++) {
        for (int64_t k_block = 0; k_block < K / 64; k_block++) {
          _Alignas(64) float xs_tile[1024];
          for (int64_t k = 0; k < 64; k++) {
            for (int64_t n_tile = 0; n_tile < 1; n_tile++) {
              __builtin_prefetch(&xs[(((k_block * 64 + k + 8) * L + l) * M + m) * N + n_block * 16 + n_tile * 16]);
            }
            for (int64_t n = 0; n < 16; n++) {
              xs_tile[n * 64 + k] = xs[(((k_block * 64 + k) * L + l) * M + m) * N + n_block * 16 + n];
            }
          }
          for (int64_t n = 0; n < 16; n++) {
            for (int64_t k = 0; k < 64; k++) {
              output[(((n_block * 16 + n) * M + m) * L + l) * K + k_block * 64 + k] = xs_tile[n * 64 + k];
            }
          }
        }
        for (int64_t n = 0; n < 16; n++) {
          for (int64_t k = 0; k < K % 64; k++) {
            output[(((n_block * 16 + n) * M + m) * L + l) * K + k + 64 * (K / 64)] = xs[(((k + 64 * (K / 64)) * L + l) * M + m) * N + n_block * 16 + n];
          }
        }
      }
      for (int64_t n = 0; n < N % 16; n++) {
        for (int64_t k = 0; k < K; k++) {
          output[(((n + 16 * (N / 16)) * M + m) * L + l) * K + k] = xs[((k * L + l) * M + m) * N + n + 16 * (N / 16)];
        }
      }
    }
  }
  return 0;
}
