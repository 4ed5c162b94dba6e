// A helper in a header beside the submission.
#include "good.cuh"

#include "helper.cuh"
ENTRY(global) {
  if (rows > 0) kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
