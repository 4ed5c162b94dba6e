// The functions have other names than the contract gives them.
#include "good.cuh"

void find_row_maxima(const float* a, float* out, int rows, int cols) { good::row_max_global(a, out, rows, cols); }
