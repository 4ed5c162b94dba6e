// timeout: a kernel that never ends, in the case with 5000 rows
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void endless(volatile float* out) {
  while (out[0] < 2e30f) {
  }
}
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator() && rows == 5000) endless<<<1, 1>>>(out);
}
