// One version is not written; the others must be graded all the same.
#include "good.cuh"



ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
