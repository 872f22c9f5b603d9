// molecular_dynamics(cutoff: f32, atoms: N.(f32, f32), neighbours: N.K.idx[N]) -> N.(f32, f32) for all N, K
#include <stdbool.h>
#include <stdint.h>

int molecular_dynamics(
    int64_t N,
    int64_t K,
    float cutoff,
    const float *restrict atoms_1,
    const float *restrict atoms_2,
    const int64_t *restrict neighbours,
    float *restrict output_1,
    float *restrict output_2
) {
  #pragma omp parallel for schedule(static)
  for (int64_t n = 0; n < N; n++) {
    float acc;
    float acc_1;
    acc = 0.0f;
    acc_1 = 0.0f;
    for (int64_t k = 0; k < K; k++) {
      const int64_t at = neighbours[n * K + k];
      const float dx = atoms_1[n] - atoms_1[at];
      const float dy = atoms_2[n] - atoms_2[at];
      const float square = dx * dx + dy * dy;
      const bool choice = square < cutoff * cutoff && square > 0.0f;
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      const float b = choice ? s * dx : 0.0f;
      const float b_1 = choice ? s * dy : 0.0f;
      acc = acc + b;
      acc_1 = acc_1 + b_1;
    }
    output_1[n] = acc;
    output_2[n] = acc_1;
  }
  return 0;
}
