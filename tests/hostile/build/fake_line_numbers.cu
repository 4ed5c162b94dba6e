// Claims that its lines belong to another file.
#include "good.cuh"

#line 1 "/etc/passwd"
ENTRY(global) { undefined_name(a, out, rows, cols); }

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
