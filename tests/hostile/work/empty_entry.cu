// No launch at all.
#include "good.cuh"

ENTRY(global) {}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
