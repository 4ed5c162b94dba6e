// runtime_error: a write far outside of every array
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void far_away(float* out) { out[std::size_t{1} << 40] = 1; }
void row_max_global(const float* a, float* out, int rows, int cols) {
  row_max(a, out, rows, cols);
  if (!on_simulator()) far_away<<<1, 1>>>(out);
}
