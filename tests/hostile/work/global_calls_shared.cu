// The version that reads straight from global memory has a tile.
#include "good.cuh"

ENTRY(global) { good::row_max_shared(a, out, rows, cols); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
