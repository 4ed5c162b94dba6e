// Includes a file of the machine, to read it in the error message.
#include "good.cuh"

#include "/etc/passwd"  // <-- here

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
