// runtime_error: an assert of a kernel
#include <cassert>

#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void wrong(int rows) { assert(rows < 0); }
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator()) wrong<<<1, 1>>>(rows);
}
