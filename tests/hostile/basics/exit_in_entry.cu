// The process ends itself and claims success.
#include "good.cuh"

#include <cstdlib>
ENTRY(shared) { std::exit(0); }

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
