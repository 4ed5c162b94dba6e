// accepted: what follows a copy to the host may depend on it, so the call is timed live
#include "contract.cuh"
#include "only_on_card.cuh"
void row_max_global(const float* a, float* out, int rows, int cols) {
  float first = 0;
  row_max(a, out, rows, cols);
  if (rows == 0) return;
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  if (first > -FLT_MAX) row_max(a, out, rows, cols);
}
