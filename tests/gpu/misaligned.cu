// runtime_error: an access that is not a multiple of its size
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void crooked(float* out) {
  *reinterpret_cast<double*>(reinterpret_cast<char*>(out) + 4) = 1;
}
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator() && rows > 8) crooked<<<1, 1>>>(out);
}
