// A constant for an answer.
#include "good.cuh"

ENTRY(global) { cudaMemset(out, 0, static_cast<size_t>(rows) * sizeof(float)); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
