// wrong_answer: the last row is one too high
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void spoil(float* out, int rows) { out[rows - 1] += 1; }
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator() && rows > 0) spoil<<<1, 1>>>(out, rows);
}
