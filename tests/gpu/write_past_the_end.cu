// runtime_error: a write just behind the output, which lands in a guard
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void past(float* out, int rows) { out[rows] = 1; }
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator() && rows > 0) past<<<1, 1>>>(out, rows);
}
